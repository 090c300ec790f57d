/** What the user can put right: printed as one line, without a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super(`${subject}: expected ${expected}, got ${got}`, options);
  }
}

const MAX_QUOTED = 60;

/** A piece of input, short and on one line whatever is in it. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

/** The system's own code (`ENOENT`) where there is one. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : quoted(String(error));
}
