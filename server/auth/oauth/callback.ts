import type { Context } from "hono";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import { withCode, withFacts, withSession } from "../redirects.ts";
import { startSession } from "../sessions.ts";
import { logged, logSignIn, signInCode } from "../sign-in-log.ts";
import type { UserRow } from "../users.ts";
import { linkProfile, signInWithProfile } from "./accounts.ts";
import { isMarked } from "./browser-mark.ts";
import { callbackOf } from "./callback-address.ts";
import { checksOf, endFlow, type Flow, issueFlowCode, takeFlow } from "./flow.ts";
import { type ProviderTokens, readSignIn } from "./google.ts";
import { requireProvider } from "./providers.ts";
import { factsOf, ProviderRefusal } from "./refusal-facts.ts";

/** `GET` and `POST /callback`: the provider sends the person back, and we send them on. */
export async function callback(context: Context, deps: AuthDeps): Promise<Response> {
  const answer = await readAnswer(context);
  let flow: Flow;
  try {
    flow = await takeFlow(deps.sql, answer.get("state") ?? "", deps.now());
  } catch (error) {
    logSignIn(context, deps, "oauth", signInCode(error));
    // An unknown flow has no target: the site's address takes its place.
    return context.redirect(withFacts(deps.settings.siteUrl, factsOf(deps, error)), 303);
  }
  try {
    const target = await logged(context, deps, "oauth", () => finish(context, deps, flow, answer));
    return context.redirect(target, 302);
  } catch (error) {
    await endFlow(deps.sql, flow);
    return context.redirect(withFacts(flow.target, factsOf(deps, error)), 302);
  }
}

async function finish(
  context: Context,
  deps: AuthDeps,
  flow: Flow,
  answer: URLSearchParams,
): Promise<string> {
  if (flow.linkingTo !== null && !isMarked(context, deps, flow.state)) {
    throw new AuthError(400, "bad_oauth_state", "OAuth state belongs to another browser");
  }
  const refusal = answer.get("error");
  if (refusal) throw new ProviderRefusal(refusal, answer.get("error_description") ?? "");
  if (!answer.get("code")) {
    throw new AuthError(
      400,
      "bad_oauth_callback",
      "OAuth callback with missing authorization code missing",
    );
  }
  const google = requireProvider(deps, flow.provider);
  const address = new URL(callbackOf(deps));
  address.search = answer.toString();
  const tokens = await readSignIn(deps, google, address, checksOf(deps, flow.state));
  return deps.sql.begin(async (sql) => {
    const user: UserRow =
      flow.linkingTo === null
        ? await signInWithProfile(sql, deps, tokens.profile)
        : await linkProfile(sql, deps, flow.linkingTo, tokens.profile);
    if (flow.isPkce) {
      const code = await issueFlowCode(sql, deps, flow, { userId: user.id, tokens });
      return withCode(flow.target, code);
    }
    await endFlow(sql, flow);
    const request = context.req.raw;
    const session = await startSession(sql, deps, { user, method: "oauth", request });
    return withSession(flow.target, { ...session, ...providerTokens(tokens) });
  });
}

function providerTokens({ accessToken, refreshToken }: ProviderTokens) {
  return {
    provider_token: accessToken,
    ...(refreshToken !== null && { provider_refresh_token: refreshToken }),
  };
}

/** Reads the provider's answer: from the address, or from a form. */
async function readAnswer(context: Context): Promise<URLSearchParams> {
  if (context.req.method === "POST") return new URLSearchParams(await context.req.text());
  return new URL(context.req.url).searchParams;
}
