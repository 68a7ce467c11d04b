import type { ReviewDetail } from "#domain/schemas/reviews.ts";

/** The phone number of whoever wrote a review, as links of phones take it. */
export function phoneOf({ customer }: Pick<ReviewDetail, "customer">): string | undefined {
  return customer?.phone?.replace(/[^+\d]/g, "");
}
