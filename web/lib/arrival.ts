import { speaksOfArrival, TOKEN_PARAMETERS } from "./arrival-address.ts";
import { type Errand, googleErrand } from "./google-errand.ts";

/** Why a link of an e-mail, or the way back from Google, did not sign in. */
export type ArrivalProblem = {
  /** Code of the authentication service, or one of ours. */
  code: string;
};

/** How somebody came to the page that is opening. */
export type Arrival = {
  problem: ArrivalProblem | null;
  /** What this tab had left for Google for, where it comes back from there. */
  errand: Errand | null;
};

/** The link is good, but was asked for in another browser, which alone can finish with it. */
export const OTHER_BROWSER = "link_of_other_browser";

/** What stands beside a session in an address. */
const BESIDE_TOKENS = ["expires_at", "expires_in", "token_type", "type"] as const;

/** Parameters with which the authentication service says what went wrong. */
const ERROR_PARAMETERS = ["error", "error_code", "error_description", "sb"] as const;

function errorIn(parameters: URLSearchParams): string | null {
  const isError = ERROR_PARAMETERS.some((name) => name !== "sb" && parameters.has(name));
  if (!isError) return null;
  return parameters.get("error_code") || parameters.get("error") || "unknown";
}

/**
 * Reads what the authentication service says in an address, in its query or its fragment, and answers the address
 * without it: reloading the page does not say it again, and the client library, which would act on it, sees nothing.
 * Anybody can write an address, so none takes a session away or brings one, but for the code that only this browser can
 * exchange.
 */
export function readArrival(
  address: string,
  hasVerifier: boolean,
): { problem: ArrivalProblem | null; address: string } {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const error = errorIn(fragment) ?? errorIn(url.searchParams);
  const hasTokens = TOKEN_PARAMETERS.some(
    (name) => fragment.has(name) || url.searchParams.has(name),
  );
  if (error || hasTokens) {
    const gone = [...ERROR_PARAMETERS, ...TOKEN_PARAMETERS, "code"];
    for (const name of hasTokens ? [...gone, ...BESIDE_TOKENS] : gone)
      url.searchParams.delete(name);
    if (speaksOfArrival({ search: "", hash: url.hash })) url.hash = "";
    // Tokens in an address are not how links of this application work.
    return { problem: { code: error ?? "otp_expired" }, address: url.href };
  }
  if (url.searchParams.has("code") && !hasVerifier) {
    url.searchParams.delete("code");
    return { problem: { code: OTHER_BROWSER }, address: url.href };
  }
  return { problem: null, address };
}

/** The same for the page that is opening, before anything else looks at its address. */
export function takeArrival(storageKey: string): Arrival {
  const { problem, address } = readArrival(window.location.href, hasVerifier(storageKey));
  if (problem) window.history.replaceState(window.history.state, "", address);
  return { problem, errand: googleErrand.end() };
}

/** Takes a code out of the address that this browser can no longer exchange: reloading would only refuse it again. */
export function dropSpentCode(storageKey: string): void {
  const url = new URL(window.location.href);
  if (!url.searchParams.has("code") || hasVerifier(storageKey)) return;
  url.searchParams.delete("code");
  window.history.replaceState(window.history.state, "", url);
}

function hasVerifier(storageKey: string): boolean {
  try {
    return localStorage.getItem(`${storageKey}-code-verifier`) !== null;
  } catch {
    return false;
  }
}
