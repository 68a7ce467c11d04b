import type { Context } from "hono";
import type { AuthDeps } from "./deps.ts";
import type { AuthError } from "./errors.ts";
import type { SessionAnswer } from "./sessions.ts";

/** How the hosted platform names a refusal in an address, after OAuth. */
export const OAUTH_ERRORS: Readonly<Record<number, string>> = {
  400: "invalid_request",
  401: "unauthorized_client",
  403: "access_denied",
  500: "server_error",
  503: "temporarily_unavailable",
};

/** Paths of the pages for signing in and for a new password (web/routes/auth). */
const SIGN_IN_PATH = "/auth";
const RESET_PATH = "/auth/reset-password";

/**
 * Where a person is sent after a link: the page that was asked for when it is ours or an
 * allowed one, else the start page. Tokens travel in that address: no other site gets them.
 */
export function redirectTarget({ settings }: Pick<AuthDeps, "settings">, asked: string): string {
  if (!URL.canParse(asked)) return settings.siteUrl;
  const url = new URL(asked);
  const allowed = [settings.siteUrl, ...settings.redirectAllowList];
  const isAllowed = allowed.some((origin) => new URL(origin).origin === url.origin);
  if (!isAllowed || url.username !== "" || url.password !== "") return settings.siteUrl;
  url.hash = "";
  return url.href;
}

/** Target that a call asks for: a parameter of the address, or a header. */
export function askedTarget(context: Context): string {
  return context.req.query("redirect_to") ?? context.req.header("redirect_to") ?? "";
}

/** The target with a session in its fragment, which no server gets to see. */
export function withSession(target: string, session: SessionAnswer, type?: string): string {
  const { provider_token, provider_refresh_token } = session;
  return withFragment(target, {
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    ...(provider_refresh_token && { provider_refresh_token }),
    ...(provider_token && { provider_token }),
    refresh_token: session.refresh_token,
    token_type: session.token_type,
    ...(type && { type }),
  });
}

/** The target with a code that the client which began exchanges for a session. */
export function withCode(target: string, code: string): string {
  const url = new URL(target);
  url.searchParams.set("code", code);
  return url.href;
}

/**
 * The target with a link's token in the fragment, named by what it is for: its page asks for more before it uses it. `confirm` wants
 * name and password of a sign-up, `recovery` the press of a button.
 */
export function withToken(target: string, use: "confirm" | "recovery", token: string): string {
  return `${target}#${new URLSearchParams({ [use]: token })}`;
}

/** Whether the target is the page for a new password, which uses a token of its fragment once somebody presses a button. */
export function isResetPage(target: string): boolean {
  return new URL(target).pathname === RESET_PATH;
}

/** The page of signing in and up, which leads on to the target. */
export function signInPage(target: string): string {
  const { origin, pathname, search } = new URL(target);
  if (pathname === SIGN_IN_PATH) return target;
  const page = new URL(SIGN_IN_PATH, origin);
  page.search = new URLSearchParams({ confirmed: "true", redirect: pathname + search }).toString();
  return page.href;
}

/** The target with a sentence for the page. */
export function withMessage(target: string, message: string, isPkce: boolean): string {
  return withFragment(isPkce ? withQuery(target, { message }) : target, { message });
}

/** The target with what went wrong. */
export function withError(target: string, error: AuthError, isPkce: boolean): string {
  const name = OAUTH_ERRORS[error.status];
  const facts = {
    ...(name && { error: name }),
    error_code: error.code,
    error_description: error.message,
  };
  return isPkce ? withFacts(target, facts) : withFragment(target, facts);
}

/** The target with facts in its query and its fragment: pages of either habit find them. */
export function withFacts(target: string, facts: Record<string, string>): string {
  return withFragment(withQuery(target, facts), facts);
}

function withQuery(target: string, facts: Record<string, string>): string {
  const url = new URL(target);
  for (const [name, value] of Object.entries(facts)) url.searchParams.set(name, value);
  return url.href;
}

function withFragment(target: string, facts: Record<string, string>): string {
  // The mark by which client libraries distinguish our fragments from a page's own.
  return `${target}#${new URLSearchParams({ ...facts, sb: "" })}`;
}
