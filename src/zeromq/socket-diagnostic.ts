/** Something from the other side that could not be used, while everything else goes on. */
export interface SocketDiagnostic {
  /** The socket (`handshake`, `input`, `output`), or the path of a field in a message that was read. */
  readonly source: string;
  readonly message: string;
  /** Whose it was, if that is known. */
  readonly engineIndex?: number;
  /** Where in the message, in bytes, if it was read at all. */
  readonly offset?: number;
}

/** Told of each; what it throws or rejects with is dropped. */
export type OnDiagnostic = (diagnostic: SocketDiagnostic) => void;

/** A reporter that never throws, whatever the user's own does. */
export function safely(onDiagnostic: OnDiagnostic | undefined): (diagnostic: SocketDiagnostic) => void {
  return (diagnostic) => {
    try {
      const result: unknown = onDiagnostic?.(diagnostic);
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // a listener must not end what it listens to
    }
  };
}

/** What an error says, whatever was thrown. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
