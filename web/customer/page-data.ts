import * as z from "zod/mini";
import { publicCampaign, publicOrganization } from "#domain/public-page.ts";

/** Ways into the wheel page: after a review, without one, or to try it without consequence. */
const playMode = z.enum(["review", "libre", "test"]);
export type PlayMode = z.infer<typeof playMode>;

/** What the server puts into a phone page, and what the page starts from. */
export const customerPage = z.union([
  z.object({ kind: z.literal("review"), campaign: publicCampaign }),
  z.object({ kind: z.literal("play"), mode: playMode, campaign: publicCampaign }),
  z.object({ kind: z.literal("organization"), organization: publicOrganization }),
  z.object({ kind: z.literal("not-found") }),
]);
export type CustomerPage = z.infer<typeof customerPage>;
