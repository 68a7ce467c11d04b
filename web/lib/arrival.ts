import { NETWORK, TOO_MANY } from "./app-error.ts";

/** Why a link of an e-mail, or the way back from Google, did not sign in. */
export type ArrivalProblem = {
  /** Code of the authentication service, or one of ours. */
  code: string;
};

/** The link is good, but was asked for in another browser, which alone can finish with it. */
export const OTHER_BROWSER = "link_of_other_browser";

/** Of these errors an address says nothing about whoever is signed in (specification, section 8). */
const HARMLESS = [
  "identity_already_exists",
  "identity_not_found",
  "single_identity_not_deletable",
  // No errors of the address: it waits for the browser that began, or was not looked at.
  OTHER_BROWSER,
  NETWORK,
  TOO_MANY,
];

/** Whether what an address brought ends the session that is stored here, as the specification (section 8) asks. */
export function endsSession(problem: ArrivalProblem | null): boolean {
  return problem !== null && !HARMLESS.includes(problem.code);
}

/** Parameters with which the authentication service says what went wrong. */
const ERROR_PARAMETERS = ["error", "error_code", "error_description", "sb"] as const;

function errorIn(parameters: URLSearchParams): string | null {
  const isError = ERROR_PARAMETERS.some((name) => name !== "sb" && parameters.has(name));
  if (!isError) return null;
  return parameters.get("error_code") || parameters.get("error") || "unknown";
}

/**
 * Reads what the authentication service says in an address, in its query or its fragment, and
 * answers the address without it, so that reloading the page does not say it again.
 */
export function readArrival(
  address: string,
  hasVerifier: boolean,
): { problem: ArrivalProblem | null; address: string } {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const code = errorIn(fragment) ?? errorIn(url.searchParams);
  if (code) {
    for (const name of ERROR_PARAMETERS) url.searchParams.delete(name);
    if (errorIn(fragment)) url.hash = "";
    return { problem: { code }, address: url.href };
  }
  if (fragment.has("access_token")) {
    // Tokens in an address are not how links of this application work: they are not taken.
    url.hash = "";
    return { problem: { code: "otp_expired" }, address: url.href };
  }
  if (url.searchParams.has("code") && !hasVerifier) {
    url.searchParams.delete("code");
    return { problem: { code: OTHER_BROWSER }, address: url.href };
  }
  return { problem: null, address };
}

/** The same for the page that is opening, before anything else looks at its address. */
export function takeArrival(storageKey: string): ArrivalProblem | null {
  const arrival = readArrival(window.location.href, hasVerifier(storageKey));
  if (arrival.problem) window.history.replaceState(window.history.state, "", arrival.address);
  return arrival.problem;
}

function hasVerifier(storageKey: string): boolean {
  try {
    return localStorage.getItem(`${storageKey}-code-verifier`) !== null;
  } catch {
    return false;
  }
}
