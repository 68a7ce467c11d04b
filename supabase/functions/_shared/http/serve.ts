import * as z from "zod/mini";
import type { ErrorCode } from "../domain/errors/errors.ts";
import { DATABASE_RETRY_S, isDatabaseUnable, isGivenUp } from "./database-away.ts";
import type { Deps, Handler, LogEntry } from "./deps.ts";
import { errorCode } from "./error-code.ts";
import { isProviderAway, PROVIDER_RETRY_S } from "./payments.ts";
import { noContent, refuse } from "./respond.ts";

/** Settings of the frame around each function's own work. */
type Settings = {
  /** Name of the function, for the log. */
  name: string;
  method: "GET" | "POST";
  /** Error shown to a person when the work fails for a reason that they cannot mend. */
  failure: ErrorCode;
};

/** A failure that has a better word than the function's own. */
export class FunctionFailure extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, cause: unknown, detail?: string) {
    super(code, { cause });
    this.code = code;
    this.detail = detail;
  }
}

/** The parts of a database error that may be read and logged: none of them holds a value of a row. */
export const databaseError = z.object({
  code: z.optional(z.string()),
  table_name: z.optional(z.string()),
  constraint_name: z.optional(z.string()),
});

/** Writes into the log what did not end the request, or came after its answer: `export_broken`, `files_not_removed`. */
export type Fail = (event: string, cause: unknown, options?: FailOptions) => void;

/** Whether the failure is the product's own; false for what the other side broke off. */
type FailOptions = { isOurs?: boolean };

/** The line of the log about a failure: of which function and request, and the code of its cause. */
function failureLine(
  name: string,
  request: Request,
  { event, cause, isOurs = true }: FailOptions & { event: string; cause: unknown },
): LogEntry {
  const { data } = databaseError.safeParse(cause);
  const requestId = request.headers.get("x-request-id");
  return {
    event,
    ...(isOurs && { level: "error" as const }),
    function: name,
    ...(requestId && { requestId }),
    code: errorCode(cause),
    ...(data?.constraint_name && { constraint: data.constraint_name }),
  };
}

/**
 * Wraps a handler: answers preflight requests and other methods, and turns an unforeseen failure
 * into the function's own error code, logged without the values that it was about.
 */
export function serve(
  { name, method, failure }: Settings,
  work: (request: Request, deps: Deps, fail: Fail) => Promise<Response>,
): Handler {
  return async (request: Request, deps: Deps) => {
    if (request.method === "OPTIONS") return noContent();
    if (request.method !== method) return refuse("method_not_allowed");
    const fail: Fail = (event, cause, options) =>
      deps.log(failureLine(name, request, { event, cause, ...options }));
    try {
      return await work(request, deps, fail);
    } catch (error) {
      const known = error instanceof FunctionFailure ? error : undefined;
      const cause = known ? known.cause : error;
      const isUnable = isDatabaseUnable(cause);
      // Logged once, by the watch over the database, and not by each request.
      if (isUnable) deps.databaseFailed?.(cause);
      else fail("function_failed", cause);
      if (isUnable || isGivenUp(cause)) {
        return refuse("service_unavailable", { retryAfter: DATABASE_RETRY_S });
      }
      return refuse(known?.code ?? failure, {
        ...(known?.detail && { detail: known.detail }),
        ...(isProviderAway(cause) && { retryAfter: PROVIDER_RETRY_S }),
      });
    }
  };
}
