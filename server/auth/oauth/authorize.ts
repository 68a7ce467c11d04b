import type { Context } from "hono";
import { requireUser } from "../authenticate.ts";
import type { AuthDeps } from "../deps.ts";
import { readChallenge } from "../flow-state.ts";
import { countAttempt } from "../limits.ts";
import { requireAssurance } from "../mfa/assurance.ts";
import { askedTarget, redirectTarget, withFacts } from "../redirects.ts";
import { markBrowser } from "./browser-mark.ts";
import { callbackOf } from "./callback-address.ts";
import { beginFlow, checksOf } from "./flow.ts";
import { signInAddress } from "./google.ts";
import { GOOGLE, requireProvider } from "./providers.ts";
import { factsOf } from "./refusal-facts.ts";

/** Parameters that a page may hand to the provider beside our own. */
const HINTS = ["access_type", "hd", "include_granted_scopes", "login_hint", "prompt"] as const;

/**
 * `GET /authorize`: sends a browser to the provider. Browsers navigate here. Where that is refused, the person comes
 * back to the page that they wanted, with the reason in its address; programs get it as JSON.
 */
export async function authorize(context: Context, deps: AuthDeps): Promise<Response> {
  try {
    const { url } = await beginSignIn(context, deps, null);
    return context.redirect(url, 302);
  } catch (error) {
    if (!wantsPage(context)) throw error;
    const target = redirectTarget(deps, askedTarget(context));
    return context.redirect(withFacts(target, factsOf(deps, error)), 302);
  }
}

/** Whether a person in a browser made the request, rather than a program. */
function wantsPage(context: Context): boolean {
  return context.req.header("accept")?.includes("text/html") === true;
}

/** `GET /user/identities/authorize`: the same for a user who is signed in and links an identity. */
export async function authorizeLinking(context: Context, deps: AuthDeps): Promise<Response> {
  const who = await requireUser(context, deps);
  await requireAssurance(deps.sql, who);
  const { url, state } = await beginSignIn(context, deps, who.user.id);
  markBrowser(context, deps, state);
  if (context.req.query("skip_http_redirect") === "true") return context.json({ url });
  return context.redirect(url, 302);
}

async function beginSignIn(
  context: Context,
  deps: AuthDeps,
  linkingTo: string | null,
): Promise<{ url: string; state: string }> {
  const query = (name: string) => context.req.query(name) ?? "";
  const google = requireProvider(deps, query("provider"));
  const challenge = readChallenge(query("code_challenge"), query("code_challenge_method"));
  const target = redirectTarget(deps, askedTarget(context));
  const flow = { provider: GOOGLE, target, challenge, linkingTo };
  await countAttempt(deps, { kind: "sign_in", request: context.req.raw });
  const state = await beginFlow(deps.sql, flow, deps.now());
  const hints = Object.fromEntries(
    HINTS.map((name) => [name, query(name)] as const).filter(([, value]) => value !== ""),
  );
  const url = await signInAddress(deps, google, {
    ...checksOf(deps, state),
    callback: callbackOf(deps),
    scopes: query("scopes"),
    hints,
  });
  return { url, state };
}
