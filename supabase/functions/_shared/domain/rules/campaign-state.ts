import * as z from "zod/mini";

/** Facts that determine a campaign's state, as the database answers them. */
export const campaignDates = z.object({
  active: z.boolean(),
  /** Instants, which its store's clock has chosen; null without a limit. */
  starts_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
});
export type CampaignDates = z.infer<typeof campaignDates>;

/** Switched off; switched on, and not begun, under way or over. */
export type CampaignState = "inactive" | "scheduled" | "running" | "over";

/** State of a campaign. `private.is_running` decides the same for the public pages, and requires a plan in force as well. */
export function campaignState(
  { active, starts_at, ends_at }: CampaignDates,
  now: Date,
): CampaignState {
  if (!active) return "inactive";
  if (ends_at !== null && new Date(ends_at) <= now) return "over";
  return starts_at !== null && new Date(starts_at) > now ? "scheduled" : "running";
}
