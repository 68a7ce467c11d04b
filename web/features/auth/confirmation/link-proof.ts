import type { Auth } from "../../../lib/auth/auth.ts";
import { tabMemory } from "../../../lib/device-memory.ts";

/** Where a tab keeps the token of a sign-up's link until its person has given a name and a password. */
const PROOF_KEY = "tournavis-confirm";

/** The token is used up, and the password is not chosen yet. */
const SPENT = "spent";

/** Proof on a device that remembers nothing. */
let held = "";

function hold(value: string): void {
  held = value;
  tabMemory.write(PROOF_KEY, value);
}

function read(): string {
  return held || (tabMemory.read(PROOF_KEY) ?? "");
}

/**
 * The link of a sign-up proves whose address it is, and not who signed up. In another browser than the one that signed up,
 * its person gives name and password once more, and the token of the link confirms these.
 */
export const linkProof = {
  isWaiting: () => read() !== "",
  /** Empty once it is used up. */
  token: () => (read() === SPENT ? "" : read()),
  spend: () => hold(SPENT),
  drop: () => hold(""),
};

/**
 * Takes the token out of the page's address, and answers whether its person has to give name and password: not in the browser
 * that signed up, which has exchanged the code that came with it (PKCE) by now.
 */
export function takeLinkProof(auth: Pick<Auth, "arrivalProblem">): boolean {
  const url = new URL(window.location.href);
  const token = new URLSearchParams(url.hash.slice(1)).get("confirm");
  if (token) {
    url.hash = "";
    window.history.replaceState(window.history.state, "", url.href);
    const isExchanged = token.startsWith("pkce_") && auth.arrivalProblem() === null;
    hold(isExchanged ? "" : token);
  }
  return linkProof.isWaiting();
}
