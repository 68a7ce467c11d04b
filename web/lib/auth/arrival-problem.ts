import type { GoogleIntent } from "./google-intent.ts";

/** Why a link of an e-mail, or the way back from Google, did not sign in. */
export type ArrivalProblem = {
  /** Code of the authentication service, or one of ours. */
  code: string;
};

/** How the user came to the page that is opening. */
export type Arrival = {
  problem: ArrivalProblem | null;
  /** Why this tab had left for Google; null unless it comes back from there. */
  intent: GoogleIntent | null;
};

/** The link is good, but was asked for in another browser, which alone can finish with it. */
export const OTHER_BROWSER = "link_of_other_browser";
