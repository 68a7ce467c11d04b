import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import type { Failure } from "../api.ts";
import type { PlayMode } from "../page-data.ts";

/** Steps of the wheel page (specification, sections 2.6 and 4.3). */
export type PlayStep = "loading" | "name" | "contact" | "ready" | "spinning" | "result" | "error";

/** How to reach a player: an e-mail address, a phone number, or both. */
export type Contact = { email?: string | undefined; phone?: string | undefined };

/** State of a player on the wheel page. */
export type PlayState = {
  step: PlayStep;
  mode: PlayMode;
  campaign: PublicCampaign | null;
  name: string;
  contact: Contact | null;
  /** Draw of the server; known before the wheel stops. */
  result: SpinResult | null;
  /** Why the last spin did not succeed, or why the page cannot be shown. */
  failure: Failure | null;
};

/** The page before anything happened; after a review, name and contact are already known. */
export function startPlay(mode: PlayMode, campaign: PublicCampaign | null): PlayState {
  return {
    step: campaign === null ? "loading" : firstStep(mode),
    mode,
    campaign,
    name: "",
    contact: null,
    result: null,
    failure: null,
  };
}

/** Where the page begins: after a review, name and contact are known. */
export function firstStep(mode: PlayMode): PlayStep {
  return mode === "review" ? "ready" : "name";
}
