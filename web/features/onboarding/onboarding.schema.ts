import * as z from "zod/mini";
import { ADDRESS_MAX_LENGTH, NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import { REVIEW_URL_MAX_LENGTH, reviewLinkProblem } from "#domain/rules/review-links.ts";
import { reviewMode } from "#domain/rules/review-mode.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { isSlug } from "#domain/text/slugify.ts";
import { reviewLinkFieldCopy } from "../../ui/forms/review-link-field.copy.ts";
import { slugFieldCopy } from "../../ui/forms/slug-field.copy.ts";
import { onboardingCopy } from "./onboarding.copy.ts";

const { organization, store } = onboardingCopy;

function required(sentence: string, max: number) {
  return z
    .string()
    .check(z.overwrite(seenText), z.minLength(1, sentence), z.maxLength(max, organization.tooLong));
}

function slugText(sentence: string) {
  return z.string().check(
    z.trim(),
    z.minLength(1, sentence),
    z.refine((text) => text === "" || isSlug(text), slugFieldCopy.malformed),
  );
}

/** Step 1. */
export const organizationForm = z.object({
  name: required(organization.nameRequired, NAME_MAX_LENGTH),
  slug: slugText(organization.slugRequired),
});
export type OrganizationForm = z.infer<typeof organizationForm>;

const storeFields = z.object({
  name: required(store.nameRequired, NAME_MAX_LENGTH),
  slug: slugText(store.slugRequired),
  address: required(store.addressRequired, ADDRESS_MAX_LENGTH),
  reviewUrl: z.string().check(z.trim(), z.maxLength(REVIEW_URL_MAX_LENGTH, organization.tooLong)),
  /** Host that was confirmed because it is no known platform; empty without. */
  confirmedHost: z.string(),
  reviewMode,
});
export type StoreForm = z.infer<typeof storeFields>;

/** Step 2, of a store that has this link already (null: of a new one). */
export function storeForm(kept: string | null) {
  const problemOf = ({ reviewUrl: url, confirmedHost }: StoreForm) =>
    reviewLinkProblem({ url, confirmedHost }, kept);
  return storeFields.check(
    z.refine((form) => problemOf(form) !== "malformed", {
      error: reviewLinkFieldCopy.malformed,
      path: ["reviewUrl"],
    }),
    z.refine((form) => problemOf(form) !== "unconfirmed", {
      error: reviewLinkFieldCopy.unconfirmed,
      path: ["confirmedHost"],
    }),
  );
}

/** Contents of a draft: all that fits a form's fields, however unfinished. */
export const organizationDraft = z.object({ name: z.string(), slug: z.string() });
export const storeDraft = z.object({
  name: z.string(),
  slug: z.string(),
  address: z.string(),
  reviewUrl: z.string(),
  reviewMode,
});
