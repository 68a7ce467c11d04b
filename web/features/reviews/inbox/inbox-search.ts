import * as z from "zod/mini";
import { reviewFilters } from "#domain/schemas/reviews.ts";
import { searchId } from "../../../lib/search-id.ts";
import type { InboxView } from "../reviews.queries.ts";

const { search, rating, locale } = reviewFilters.shape;
const flag = z.catch(z.optional(z.literal(true)), undefined);

/** Parameters that an address may carry; all others are left out. */
const inboxSearch = z.object({
  q: z.catch(z.pipe(z.optional(z.coerce.string()), search), undefined),
  state: z.catch(z.optional(z.enum(["answered", "closed", "all"])), undefined),
  rating: z.catch(rating, undefined),
  store: searchId,
  campaign: searchId,
  locale: z.catch(locale, undefined),
  text: flag,
  mine: flag,
  after: searchId,
  before: searchId,
  /** The review that is read. */
  review: searchId,
  /** The same with the answer begun: the link of an alert. */
  answer: searchId,
});

/** The address of the inbox, as it is written. */
export type InboxSearch = z.input<typeof inboxSearch>;

/** View in the address. Without parameters, the list shows the reviews to deal with. */
export function readInbox(address: InboxSearch): InboxView {
  const { q, state, rating, store, campaign, locale, text, mine, after, before, review, answer } =
    inboxSearch.parse(address);
  return {
    filters: {
      ...(q && { search: q }),
      ...(state !== "all" && { state: state ?? "open" }),
      ...(rating && { rating }),
      ...(store && { store_id: store }),
      ...(campaign && { campaign_id: campaign }),
      ...(locale && { locale }),
      ...(text && { with_text: text }),
      ...(mine && { mine }),
    },
    after,
    before,
    review: review ?? answer,
    isAnswering: answer !== undefined,
  };
}

/** The address that says so. */
export function writeInbox({
  filters,
  after,
  before,
  review,
  isAnswering,
}: InboxView): InboxSearch {
  const { search, state, rating, store_id, campaign_id, locale, with_text, mine } = filters;
  return {
    q: search,
    state: state === "open" ? undefined : (state ?? "all"),
    rating,
    store: store_id,
    campaign: campaign_id,
    locale,
    text: with_text,
    mine,
    after,
    before,
    ...(isAnswering ? { answer: review } : { review }),
  };
}

/** Whether two views are one step of a journey: typing, and going through the list; going back leaves both. */
export function isSameStep(from: InboxView, to: InboxView): boolean {
  const isTyping = from.filters.search !== to.filters.search;
  return isTyping || (from.review !== undefined && to.review !== undefined);
}
