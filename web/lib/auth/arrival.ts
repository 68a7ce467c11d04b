import { deviceMemory } from "../device-memory.ts";
import { type ArrivalProblem, OTHER_BROWSER } from "./arrival-problem.ts";

/** Parameters with which the authentication service says what went wrong, and those that are void with it. */
const ERROR_PARAMETERS = ["error", "error_code", "error_description", "sb", "code"];

/**
 * Failure in an address. Tokens are not how links of this application work: they count as an
 * expired link.
 */
function problemIn(parameters: URLSearchParams): string | null {
  const isError = ERROR_PARAMETERS.slice(0, 3).some((name) => parameters.has(name));
  if (isError) return parameters.get("error_code") || parameters.get("error") || "unknown";
  return parameters.has("access_token") ? "otp_expired" : null;
}

/**
 * Reads what the authentication service says in an address, in its query or its fragment, and answers the address
 * without it: reloading the page does not say it again, and the client library, which would act on it, sees nothing.
 * Any site can link to an address, so none ends a session. None starts one either, but for the code that only this browser can
 * exchange.
 */
export function readArrival(
  address: string,
  hasVerifier: boolean,
): { problem: ArrivalProblem | null; address: string } {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const hidden = problemIn(fragment);
  const code = hidden ?? problemIn(url.searchParams);
  if (code) {
    // All other parameters beside tokens belong to them.
    if (url.searchParams.has("access_token")) url.search = "";
    for (const name of ERROR_PARAMETERS) url.searchParams.delete(name);
    if (hidden) url.hash = "";
    return { problem: { code }, address: url.href };
  }
  if (url.searchParams.has("code") && !hasVerifier) {
    url.searchParams.delete("code");
    return { problem: { code: OTHER_BROWSER }, address: url.href };
  }
  return { problem: null, address };
}

/** The same for the page that is opening, before anything else looks at its address. */
export function takeArrival(storageKey: string): ArrivalProblem | null {
  const { problem, address } = readArrival(window.location.href, hasVerifier(storageKey));
  if (problem) window.history.replaceState(window.history.state, "", address);
  return problem;
}

function hasVerifier(storageKey: string): boolean {
  return deviceMemory.read(`${storageKey}-code-verifier`) !== null;
}
