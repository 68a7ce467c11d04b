import * as z from "zod/mini";
import { newId } from "#domain/text/new-id.ts";
import { customerDetails } from "../review-flow/details.ts";
import { forgetDraft } from "../review-flow/form-draft.ts";
import { forget, JOURNEY_LIFE_MS, recall, recordKey, remember } from "./storage.ts";

/** Where a journey was left: a star whose answer never came, or a review that is stored. */
const savedReview = z.union([
  z.object({
    step: z.literal("rating"),
    details: customerDetails,
    rating: z.nullable(z.int()),
  }),
  z.object({ step: z.enum(["google", "feedback", "ready"]), reviewId: z.guid() }),
]);
export type SavedReview = z.infer<typeof savedReview>;

/**
 * One visit to the review page. `visitId` is what makes a repeated rating harmless. What a
 * person typed stays in the tab only, and only until the review is stored.
 */
const visitRecord = z.object({
  visitId: z.guid(),
  feedback: z._default(z.string(), ""),
  /** How the wheel page addresses who gave the review. */
  firstName: z._default(z.string(), ""),
  saved: z.nullable(savedReview),
});
export type Visit = z.infer<typeof visitRecord>;

function keyOf(campaignId: string): string {
  return recordKey(campaignId, "visit");
}

/** The visit under way in this tab, else on this phone, else a new one. */
export function recallVisit(campaignId: string): Visit {
  const key = keyOf(campaignId);
  return (
    recall("tab", key, visitRecord) ??
    recall("phone", key, visitRecord) ?? {
      visitId: newId(),
      feedback: "",
      firstName: "",
      saved: null,
    }
  );
}

/** Keeps a visit; the phone itself learns nothing about the person. */
export function rememberVisit(campaignId: string, visit: Visit): void {
  const key = keyOf(campaignId);
  remember("tab", key, visit, JOURNEY_LIFE_MS);
  if (visit.saved === null) return;
  const saved = visit.saved.step === "rating" ? null : visit.saved;
  const anonymous: Visit = { visitId: visit.visitId, feedback: "", firstName: "", saved };
  remember("phone", key, anonymous, JOURNEY_LIFE_MS);
}

/** Ends a visit: the wheel was spun, or a new visit starts. */
export function forgetVisit(campaignId: string): void {
  forgetDraft(campaignId);
  forget("tab", keyOf(campaignId));
  forget("phone", keyOf(campaignId));
}
