import { BAD_RATING } from "#domain/rules/constants.ts";
import type { AnswerTemplate, ReviewDetail } from "#domain/schemas/reviews.ts";
import { GIVEN_TEMPLATES } from "../panel/review-panel.copy.ts";

/** The texts that answers begin with: the organisation's own, or the given ones. */
export function templatesOf({ templates }: ReviewDetail): readonly AnswerTemplate[] {
  return templates ?? GIVEN_TEMPLATES;
}

/** The one that fits: the first after a bad visit, the last after a good one. */
export function templateFor(review: ReviewDetail): AnswerTemplate {
  const templates = templatesOf(review);
  return (review.rating <= BAD_RATING ? templates[0] : templates.at(-1)) ?? GIVEN_TEMPLATES[0];
}

/** A template filled in for a customer; without a first name, its placeholder is removed. */
export function fillTemplate(
  { body }: AnswerTemplate,
  { customer, store }: Pick<ReviewDetail, "customer" | "store">,
): string {
  const firstName = customer?.first_name?.trim();
  // In one go: what a name holds is no place to be filled.
  return body.replace(/( ?)\{(prénom|magasin)\}/giu, (_, space: string, place: string) => {
    if (place.toLowerCase() === "magasin") return space + store;
    return firstName ? space + firstName : "";
  });
}
