import * as z from "zod/mini";
import { brand } from "#domain/schemas/brand.ts";
import type { RulesOperator, RulesPage } from "#domain/schemas/campaign-rules.ts";
import {
  drawnReward,
  publicCampaign,
  publicPlace,
  saidWords,
} from "#domain/schemas/public-page.ts";

/** Ways into the wheel page: after a review, without one, or to try it without consequence. */
const playMode = z.enum(["review", "libre", "test"]);
export type PlayMode = z.infer<typeof playMode>;

/** Initial data of a phone page, which the server puts into the document. */
export const customerPage = z.union([
  z.object({ kind: z.literal("review"), campaign: publicCampaign }),
  z.object({ kind: z.literal("play"), mode: playMode, campaign: publicCampaign }),
  // Whole in its HTML: the browser reads nothing of it.
  z.object({ kind: z.literal("organization"), organization: z.unknown() }),
  z.object({
    kind: z.literal("kept"),
    campaign_id: z.guid(),
    slug: z.string(),
    store: publicPlace,
    white_label: z.boolean(),
    brand: z.nullable(brand),
    /** Missing in a page that was kept before there were any. */
    pictures: z.optional(z.array(drawnReward)),
    words: saidWords,
  }),
  // A closed campaign is read by the page itself: the others do not load what it is made of.
  z.object({ kind: z.literal("not-found"), closed: z.unknown() }),
]);
export type CustomerPage = z.infer<typeof customerPage>;

/** The rules of a draw: whole in their HTML, so that they need no script and no data. */
export type RulesDocument = { kind: "rules"; page: RulesPage; operator: RulesOperator };

/** An address that no page has: whole in its HTML, likewise. */
type NoPageDocument = { kind: "no-page" };

/** Pages that the server renders. */
export type RenderedPage = CustomerPage | RulesDocument | NoPageDocument;
