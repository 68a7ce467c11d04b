import type { Failure } from "../api.ts";

/** Whether the server refused with one of these codes. */
export function isRefusal(failure: Failure | null, ...codes: string[]): boolean {
  return failure?.kind === "refused" && codes.includes(failure.code);
}
