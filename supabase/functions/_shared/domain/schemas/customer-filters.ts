import * as z from "zod/mini";
import { SEARCH_MAX_LENGTH } from "../rules/constants.ts";
import { languageSchema } from "../text/languages.ts";

/** Filters of the list and of its export; what is left out does not filter. */
export const customerFilters = z.strictObject({
  /** Part of a name, an e-mail or a phone number. */
  search: z.optional(z.string().check(z.maxLength(SEARCH_MAX_LENGTH))),
  consent: z.optional(z.boolean()),
  /** Mean of the stars, rounded; 0 is without a review. */
  rating: z.optional(z.int().check(z.minimum(0), z.maximum(5))),
  /** Active within so many days, or not at all for 90 days. */
  activity: z.optional(z.enum(["7", "30", "90", "older"])),
  /** Store of the first visit. */
  store_id: z.optional(z.uuid()),
  /** Language of their last visit. */
  locale: z.optional(languageSchema),
});
export type CustomerFilters = z.infer<typeof customerFilters>;
