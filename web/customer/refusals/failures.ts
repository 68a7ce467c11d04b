import { errorCopy } from "#domain/errors/errors.copy.ts";
import type { Failure } from "../api.ts";
import { customerCopy } from "../customer.copy.ts";
import { failuresCopy } from "./failures.copy.ts";

/**
 * Whether a refusal was definite: the server understood and stored nothing. After a lost
 * network or a fault of the server it is unknown, so that only the same request may follow.
 */
export function isDefinite(failure: Failure): boolean {
  return failure.kind === "refused" && failure.status < 500;
}

type Attempt = "campaign_failed" | "review_failed" | "feedback_failed" | "wheel_failed";

/** A failure in words: what happened, and what to do about it. */
export function describeFailure(
  failure: Failure,
  attempt: Attempt,
): { title: string; hint: string } {
  if (failure.kind === "network") return { title: errorCopy[attempt], hint: customerCopy.offline };
  const { code, message, retryAfter } = failure;
  if (failure.status >= 500 || message === "") {
    const isKnown = code === "draw_failed" || code === "record_failed";
    const hint = isKnown ? message : failuresCopy.serverFault;
    return code === "customer_failed"
      ? { title: message, hint }
      : { title: errorCopy[attempt], hint };
  }
  if (code === "campaign_not_found") return { title: message, hint: failuresCopy.notFoundHint };
  return { title: message, hint: retryAfter === null ? "" : failuresCopy.waitSeconds(retryAfter) };
}
