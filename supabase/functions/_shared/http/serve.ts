import * as z from "zod/mini";
import type { ErrorCode } from "../domain/errors.ts";
import type { Deps, Handler } from "./deps.ts";
import { noContent, refuse } from "./respond.ts";

/** What every function shares around its own work. */
type Settings = {
  /** Name of the function, for the log. */
  name: string;
  method: "GET" | "POST";
  /** What a person is told when the work fails for a reason that they cannot mend. */
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

/**
 * Wraps a handler: answers preflight requests and other methods, and turns an unforeseen failure
 * into the function's own error code, logged without the values that it was about.
 */
export function serve({ name, method, failure }: Settings, work: Handler): Handler {
  return async (request: Request, deps: Deps) => {
    if (request.method === "OPTIONS") return noContent();
    if (request.method !== method) return refuse("method_not_allowed");
    try {
      return await work(request, deps);
    } catch (error) {
      const known = error instanceof FunctionFailure ? error : undefined;
      const { data } = databaseError.safeParse(known ? known.cause : error);
      const requestId = request.headers.get("x-request-id");
      deps.log({
        event: "function_failed",
        function: name,
        ...(requestId && { requestId }),
        ...(data?.code && { code: data.code }),
        ...(data?.constraint_name && { constraint: data.constraint_name }),
      });
      return refuse(known?.code ?? failure, known?.detail ? { detail: known.detail } : {});
    }
  };
}
