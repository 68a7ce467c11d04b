import type { ReviewDetail } from "#domain/schemas/reviews.ts";

/** The phone number of a review's author, for `tel:` and SMS links. */
export function phoneOf({ customer }: Pick<ReviewDetail, "customer">): string | undefined {
  return customer?.phone?.replace(/[^+\d]/g, "");
}
