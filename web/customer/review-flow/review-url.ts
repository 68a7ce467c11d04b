import type { PublicCampaign } from "#domain/schemas/public-page.ts";

/** The store's public reviews page, when it has one that may be opened: never a script's address. */
export function reviewUrlOf(campaign: PublicCampaign): string | null {
  const url = campaign.google_review_url;
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}

/** Where that page is, as people read it: the host without « www. »; null without a page. */
export function reviewHostOf(campaign: PublicCampaign): string | null {
  try {
    return new URL(reviewUrlOf(campaign) ?? "").hostname.replace(/^www\./, "");
  } catch {
    return null;
  }
}
