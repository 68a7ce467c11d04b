import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isSameText } from "../../../supabase/functions/_shared/http/same-text.ts";
import type { AuthDeps } from "../deps.ts";
import { callbackOf } from "./callback-address.ts";
import { FLOW_MS } from "./flow.ts";

/** Holds for a linking that has begun; nothing of the person is in it. */
const COOKIE = "tournavis-linking";

type MarkDeps = Pick<AuthDeps, "keyedHash" | "settings">;

/**
 * Marks the browser that begins to link an identity. Without it, somebody could begin, send the provider's address to
 * another person, and have that person's identity open their own account.
 */
export function markBrowser(context: Context, deps: MarkDeps, state: string): void {
  const { protocol, pathname } = new URL(callbackOf(deps));
  setCookie(context, COOKIE, markOf(deps, state), {
    path: pathname,
    httpOnly: true,
    secure: protocol === "https:",
    sameSite: "Lax",
    maxAge: FLOW_MS / 1000,
  });
}

/** Whether the browser that comes back is the one that began. */
export function isMarked(context: Context, deps: MarkDeps, state: string): boolean {
  return isSameText(getCookie(context, COOKIE) ?? "", markOf(deps, state));
}

function markOf({ keyedHash }: MarkDeps, state: string): string {
  return keyedHash("browser of a linking", state);
}
