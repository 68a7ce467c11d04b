import type { LinkProps } from "@tanstack/react-router";

/** The home of a campaign, or one of its tabs. */
export function campaignHome(campaignId: string, tab?: "posters" | "reviews"): LinkProps {
  return { to: "/campaigns/$campaignId", params: { campaignId }, search: tab ? { tab } : {} };
}

/** Part of the address under which « Gains à vérifier » is open on the screen of the rewards. */
export const CHECKS_HASH = "a-verifier";

/** Link to what a campaign marks as suspicious, and to what it asks for before the spin. */
export function campaignChecks(campaignId: string): LinkProps {
  return { to: "/rewards", hash: `${CHECKS_HASH}-${campaignId}` };
}

/** A half of a campaign's form, which is a tab of its home. */
export function campaignForm(campaignId: string, part: "wheel" | "settings"): LinkProps {
  return { to: "/campaigns/$campaignId/edit", params: { campaignId }, search: { part } };
}
