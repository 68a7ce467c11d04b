import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** Version of the answers from which a failure reads `{ code, message }`. */
const VERSION_HEADER = "x-supabase-api-version";
const NEW_VERSION = "2024-01-01";

/** Parts of a refusal beside its code. */
type Extra = {
  headers?: Record<string, string>;
  /** Why a password was refused. */
  weakPassword?: readonly string[];
};

/** A refusal as the hosted platform words it: status, stable code, English sentence. */
export class AuthError extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly extra: Extra;

  constructor(status: ContentfulStatusCode, code: string, message: string, extra: Extra = {}) {
    super(message);
    this.name = "AuthError";
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

/** 400 for a request that cannot be understood. */
export function invalid(message: string): AuthError {
  return new AuthError(400, "validation_failed", message);
}

/** Error shown to a client for a failure that is not its fault. */
export const UNEXPECTED = new AuthError(
  500,
  "unexpected_failure",
  "Unexpected failure, please check server logs for more information",
);

/** 503 for what needed a database that does not answer, or cannot write. */
const UNAVAILABLE = new AuthError(
  503,
  "service_unavailable",
  "The database is unavailable, please try again",
);

/** That failure as an answer to a request with these headers. */
export function databaseUnavailable(headers: Headers): Response {
  const { status, code, message } = UNAVAILABLE;
  const isNew = readsCode(headers.get(VERSION_HEADER) ?? "");
  return Response.json(
    isNew ? { code, message } : { code: status, error_code: code, msg: message },
    {
      status,
      headers: { "x-sb-error-code": code, ...(isNew && { [VERSION_HEADER]: NEW_VERSION }) },
    },
  );
}

/** Whether a client of this version reads the code of a failure from `code`. */
function readsCode(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= NEW_VERSION;
}

/** A failure as an answer, in the shape that the client's version of the protocol reads. */
export function answerError(context: Context, error: AuthError): Response {
  const { status, code, message, extra } = error;
  const reasons = extra.weakPassword && { weak_password: { reasons: extra.weakPassword } };
  for (const [name, value] of Object.entries(extra.headers ?? {})) context.header(name, value);
  context.header("x-sb-error-code", code);
  context.header("cache-control", "no-store");
  if (readsCode(context.req.header(VERSION_HEADER) ?? "")) {
    context.header(VERSION_HEADER, NEW_VERSION);
    return context.json({ code, message, ...reasons }, status);
  }
  return context.json({ code: status, error_code: code, msg: message, ...reasons }, status);
}
