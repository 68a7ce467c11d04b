import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isSameText } from "../../../supabase/functions/_shared/http/same-text.ts";
import type { AuthDeps } from "../deps.ts";
import { callbackOf } from "./callback-address.ts";
import { FLOW_MS } from "./flow.ts";

/** Holds for a linking that has begun; nothing of the person is in it. */
const COOKIE = "tournavis-linking";

/** The same over TLS: by this name, browsers take a cookie from this very host alone, and send it nowhere else. */
const HOST_COOKIE = `__Host-${COOKIE}`;

type MarkDeps = Pick<AuthDeps, "keyedHash" | "settings">;

/**
 * Marks the browser that begins to link an identity. Without it, an attacker could begin, send the provider's address to
 * another person, and have that person's identity open their own account.
 */
export function markBrowser(context: Context, deps: MarkDeps, state: string): void {
  const { isSecure, path } = placeOf(deps);
  setCookie(context, isSecure ? HOST_COOKIE : COOKIE, markOf(deps, state), {
    path: isSecure ? "/" : path,
    httpOnly: true,
    secure: isSecure,
    sameSite: "Lax",
    maxAge: FLOW_MS / 1000,
  });
}

/** Whether the browser that comes back is the one that began. */
export function isMarked(context: Context, deps: MarkDeps, state: string): boolean {
  const name = placeOf(deps).isSecure ? HOST_COOKIE : COOKIE;
  return isSameText(getCookie(context, name) ?? "", markOf(deps, state));
}

function placeOf(deps: MarkDeps): { isSecure: boolean; path: string } {
  const { protocol, pathname } = new URL(callbackOf(deps));
  return { isSecure: protocol === "https:", path: pathname };
}

function markOf({ keyedHash }: MarkDeps, state: string): string {
  return keyedHash("browser of a linking", state);
}
