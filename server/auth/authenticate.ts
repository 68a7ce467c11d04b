import type { Context } from "hono";
import { bearerToken } from "../../supabase/functions/_shared/http/bearer.ts";
import type { AuthDeps } from "./deps.ts";
import { AuthError } from "./errors.ts";
import { findSession, type SessionRow } from "./sessions.ts";
import { type AccessClaims, verifyAccessToken } from "./tokens.ts";
import { findUserById, isBanned, type UserRow } from "./users.ts";

/** Caller of a route: a user with a session that still exists. */
export type Authenticated = { user: UserRow; session: SessionRow; claims: AccessClaims };

/**
 * The user whose access token came with a request. A valid token is not enough: its session
 * must still exist, so that signing out takes effect at once.
 */
export async function requireUser(context: Context, deps: AuthDeps): Promise<Authenticated> {
  const token = bearerToken(context.req.raw);
  if (token === null) {
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  const claims = verifyAccessToken(deps, token);
  if (claims === null) {
    throw new AuthError(403, "bad_jwt", "invalid JWT: unable to parse or verify signature");
  }
  const now = deps.now();
  const [user, session] = await Promise.all([
    findUserById(deps.sql, claims.sub),
    findSession(deps.sql, claims.session_id, now),
  ]);
  if (user === null) {
    throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  }
  if (session === null || session.user_id !== user.id) {
    throw new AuthError(
      403,
      "session_not_found",
      "Session from session_id claim in JWT does not exist",
    );
  }
  if (isBanned(user, now)) throw new AuthError(403, "user_banned", "User is banned");
  return { user, session, claims };
}
