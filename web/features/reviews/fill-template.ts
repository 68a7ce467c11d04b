import type { AnswerTemplate, ReviewDetail } from "#domain/schemas/reviews.ts";
import { GIVEN_TEMPLATES } from "./review-panel.copy.ts";

/** The texts that answers begin with: the organisation's own, or the given ones. */
export function templatesOf({ templates }: ReviewDetail): readonly AnswerTemplate[] {
  return templates ?? GIVEN_TEMPLATES;
}

/** The one that fits: the first after a bad visit, the last after a good one. */
export function templateFor(review: ReviewDetail): AnswerTemplate {
  const templates = templatesOf(review);
  return (review.rating <= 3 ? templates[0] : templates.at(-1)) ?? GIVEN_TEMPLATES[0];
}

/** A template for somebody; without a first name, nothing stands in its place. */
export function fillTemplate(
  { body }: AnswerTemplate,
  { customer, store }: Pick<ReviewDetail, "customer" | "store">,
): string {
  const firstName = customer?.first_name?.trim();
  return body
    .replace(/ ?\{prénom\}/giu, (place) =>
      firstName ? place.replace(/\{.*\}/u, () => firstName) : "",
    )
    .replace(/\{magasin\}/giu, () => store);
}
