/** What an OpenAI client is told when something is wrong. */
import type { ContentfulStatusCode } from 'hono/utils/http-status';

type ErrorType = 'invalid_request_error' | 'not_found_error' | 'rate_limit_error' | 'server_error';

/** The error object of OpenAI's API. */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: ErrorType;
    /** The field of the request that is meant. */
    readonly param: string | null;
    readonly code: string | null;
  };
}

interface Details {
  readonly param?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is none: a status and why. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ContentfulStatusCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;

  constructor(status: ContentfulStatusCode, message: string, { param, code, headers = {} }: Details = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.body = { error: { message, type: typeOf(status), param: param ?? null, code: code ?? null } };
  }

  toResponse(): Response {
    return Response.json(this.body, { status: this.status, headers: this.headers });
  }
}

function typeOf(status: number): ErrorType {
  if (status === 429) return 'rate_limit_error';
  if (status === 404) return 'not_found_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** 400, naming the field and what it is to be. */
export function badField(param: string, expected: string, got: string): ApiError {
  return new ApiError(400, `${param}: expected ${expected}, got ${got}`, { param, code: 'invalid_value' });
}
