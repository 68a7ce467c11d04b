import type { LinkProps } from "@tanstack/react-router";

/** The home of a campaign, or one of its tabs. */
export function campaignHome(campaignId: string, tab?: "posters" | "reviews"): LinkProps {
  return { to: "/campaigns/$campaignId", params: { campaignId }, search: tab ? { tab } : {} };
}

/** A half of a campaign's form, which is a tab of its home. */
export function campaignForm(campaignId: string, part: "wheel" | "settings"): LinkProps {
  return { to: "/campaigns/$campaignId/edit", params: { campaignId }, search: { part } };
}
