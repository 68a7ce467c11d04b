import { formatDay, formatMoment } from "../../../lib/format.ts";
import { redeemCopy } from "../redeem.copy.ts";
import type { Answer } from "./answer.ts";

/** Green: hand it over. Yellow: not here or not like this. Red: do not. */
export type Tone = "go" | "careful" | "stop";

export type Verdict = { tone: Tone; reason: string; explanation: string | null };

/** How an answer reads at arm's length: its colour, its reason in three words, one sentence. */
export function verdictOf(answer: Answer, now: Date): Verdict {
  const reasons = redeemCopy.answers;
  switch (answer.state) {
    case "available":
      return { tone: "go", reason: reasons.available, explanation: null };
    case "redeemed":
      return { tone: "go", reason: reasons.redeemed, explanation: null };
    case "restored":
      return {
        tone: "careful",
        reason: reasons.restored,
        // The code may have expired meanwhile.
        explanation:
          answer.expiresAt && answer.expiresAt <= now
            ? redeemCopy.expiredOn(formatDay(answer.expiresAt, now))
            : redeemCopy.restored,
      };
    case "used":
      return { tone: "stop", reason: reasons.used, explanation: usedSentence(answer, now) };
    case "expired":
      return {
        tone: "careful",
        reason: reasons.expired,
        explanation: answer.expiresAt
          ? redeemCopy.expiredOn(formatDay(answer.expiresAt, now))
          : redeemCopy.expired,
      };
    case "held":
      return { tone: "careful", reason: reasons.held, explanation: redeemCopy.held };
    case "cancelled":
      return { tone: "stop", reason: reasons.cancelled, explanation: redeemCopy.cancelled };
    case "other_store":
      return {
        tone: "careful",
        reason: reasons.other_store,
        explanation: answer.store
          ? redeemCopy.otherStore(answer.store)
          : redeemCopy.otherStoreUnknown,
      };
    case "test":
      return { tone: "careful", reason: reasons.test, explanation: redeemCopy.test };
    case "unknown":
      return { tone: "stop", reason: reasons.unknown, explanation: redeemCopy.unknown };
    case "too_many_attempts":
      return {
        tone: "careful",
        reason: reasons.too_many_attempts,
        explanation: redeemCopy.tooManyAttempts,
      };
  }
}

function usedSentence({ usedAt, usedBy }: Answer, now: Date): string | null {
  if (!usedAt) return null;
  const moment = formatMoment(usedAt, now);
  return usedBy ? redeemCopy.usedAtBy(moment, usedBy) : redeemCopy.usedAt(moment);
}
