import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";

const id = (serial: number) => `00000000-0000-4000-8000-${String(serial).padStart(12, "0")}`;

/** A campaign of a store for the unit tests of the phone pages. */
export function makeCampaign(change: Partial<PublicCampaign> = {}): PublicCampaign {
  return {
    id: id(1),
    slug: "demo",
    name: "La roue du comptoir",
    organization: { name: "Maison Lilas", slug: "maison-lilas" },
    store: { id: id(2), name: "Café des Lilas", timezone: "Europe/Paris" },
    google_review_url: "https://avis.example/lilas",
    review_mode: "compliant",
    starts_at: null,
    ends_at: null,
    play_interval_days: 1,
    segments: ["Café offert", "Dessert maison offert", "50 points", "Pas de chance"].map(
      (label, position) => ({ id: id(10 + position), label, color: "#8B5CF6", position }),
    ),
    wheel_open: true,
    rules_version: 1,
    white_label: false,
    brand: null,
    ...change,
  };
}

/** An identifier that differs from those of the campaign. */
export const REVIEW_ID = id(99);

/** A draw for the unit tests of the phone pages: a coffee without an end. */
export function makeResult(change: Partial<SpinResult> = {}): SpinResult {
  return {
    spin_id: REVIEW_ID,
    segment_id: id(10),
    segment_label: "Café offert",
    segment_color: "#8B5CF6",
    reward: { id: REVIEW_ID, name: "Café offert", type: "gift" },
    redemption_code: "WINABCD2345",
    expires_at: null,
    nonce: "n",
    ...change,
  };
}
