import type { ReactNode } from "react";
import type * as z from "zod/mini";
import {
  forget,
  hasRecord,
  JOURNEY_LIFE_MS,
  recall,
  recordKey,
  remember,
} from "../memory/storage.ts";

/** Contents of the form's fields, valid or not, by the fields' names. */
export type FormDraft = {
  first_name: string;
  last_name: string;
  contact: "email" | "phone";
  email: string;
  phone: string;
  consent_marketing: boolean;
};

/** Fields that can be wrong, in the form's order. */
export const detailsFields = ["first_name", "last_name", "email", "phone"] as const;
type DetailsField = (typeof detailsFields)[number];

/** Sentences, or questions, to show beside the fields that are wrong or look so. */
export type Mistakes = Partial<Record<DetailsField, ReactNode>>;

function keyOf(campaignId: string): string {
  return recordKey(campaignId, "draft");
}

/** Keeps what is typed, in the tab only, from the first letter on: before anything else is loaded. */
export function rememberDraft(campaignId: string, draft: FormDraft): void {
  remember("tab", keyOf(campaignId), draft, JOURNEY_LIFE_MS);
}

/** Whether something was typed. */
export function hasDraft(campaignId: string): boolean {
  return hasRecord("tab", keyOf(campaignId));
}

/** Form as it was typed before the page was left. */
export function recallDraft(
  campaignId: string,
  schema: z.ZodMiniType<FormDraft>,
): FormDraft | null {
  return recall("tab", keyOf(campaignId), schema);
}

/** Forgets who was here. */
export function forgetDraft(campaignId: string): void {
  forget("tab", keyOf(campaignId));
}
