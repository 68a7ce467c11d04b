import * as z from "zod/mini";

/** Body of the function `public-rating`. */
export const publicRatingRequest = z.object({ store_id: z.guid() });

/** Present figures of a store's public page: a mean of 1 to 5, 0 without reviews. */
const publicFigures = z.object({ rating: z.number(), reviews: z.int() });
export type PublicFigures = z.infer<typeof publicFigures>;

/** Answer of the function `public-rating`: what Google shows, or why it was not asked. */
export const publicRatingAnswer = z.discriminatedUnion("state", [
  z.extend(publicFigures, { state: z.literal("shown") }),
  z.object({
    state: z.enum([
      /** The installation has no key of Google's. */
      "off",
      /** The store has no identifier of its place. */
      "no_place",
      /** The merchant entered today's figures by hand, which are kept. */
      "typed",
      /** Google does not know the place any more. */
      "unknown_place",
      /** Google refused, or could not be reached: it is left alone for a while. */
      "paused",
      /** The store was asked about often enough today. */
      "too_many",
    ]),
  }),
]);
export type PublicRatingAnswer = z.infer<typeof publicRatingAnswer>;
