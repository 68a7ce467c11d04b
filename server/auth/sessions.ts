import { randomBytes, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { ISql } from "postgres";
import { DAY_MS } from "#domain/text/durations.ts";
import { sha256 } from "../../supabase/functions/_shared/http/sha256.ts";
import type { AuthDeps } from "./deps.ts";
import { AuthError } from "./errors.ts";
import type { FactorProof } from "./mfa/factors.ts";
import {
  type Aal,
  ACCESS_TOKEN_S,
  type AmrClaim,
  type AmrMethod,
  issueAccessToken,
} from "./tokens.ts";
import { loadUserAnswer, type UserAnswer } from "./user-answer.ts";
import { findUserById, isBanned, lockUser, type UserRow, updateUser } from "./users.ts";

/** How long a refresh token that was used may come again: two tabs. */
const REUSE_INTERVAL_MS = 10_000;

/**
 * The same where its successor was never used: the answer got lost. The client waits 15 seconds for one, and tries again
 * half a minute later.
 */
const LOST_ANSWER_MS = 120_000;

/** From the last refresh to the end of an unused session; `private.sweep_accounts` then removes it. */
const SESSION_IDLE_MS = 180 * DAY_MS;

/** From the sign-in to the end of a session, however much it is used. */
const SESSION_LIFE_MS = 365 * DAY_MS;

const USER_AGENT_MAX_LENGTH = 500;

/** A session as the protocol answers it; `expires_at` in seconds. */
export type SessionAnswer = {
  access_token: string;
  token_type: "bearer";
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: UserAnswer;
  provider_token?: string;
  provider_refresh_token?: string;
  weak_password?: { message: string; reasons: readonly string[] };
};

/** A row of `auth.sessions`. */
export type SessionRow = {
  id: string;
  user_id: string;
  aal: Aal;
  factor_id: string | null;
  not_after: Date | null;
  created_at: Date;
};

/** A session as its refresh needs to know it. */
type RefreshedSession = SessionRow & { last_used_at: Date };

type SessionDeps = Pick<AuthDeps, "now" | "tokens" | "settings" | "keyedHash" | "clientAddress">;

/** Opens a session for a user who has just proved who they are; its identifier is random where none is given. */
export async function startSession(
  sql: ISql,
  deps: SessionDeps,
  options: { user: UserRow; method: AmrMethod; request: Request; id?: string },
): Promise<SessionAnswer> {
  const now = deps.now();
  const session = { id: options.id ?? randomUUID(), aal: "aal1" as const };
  const end = new Date(now.getTime() + SESSION_LIFE_MS);
  const user = await updateUser(sql, options.user.id, { last_sign_in_at: now }, now);
  const { userAgent, ip } = deviceOf(deps, options.request);
  await sql`
    insert into auth.sessions
      (id, user_id, aal, user_agent, ip, created_at, updated_at, not_after)
    values
      (${session.id}, ${user.id}, ${session.aal}, ${userAgent}, ${ip}, ${now}, ${now}, ${end})`;
  await addProof(sql, session.id, options.method, now);
  const seed = randomBytes(32).toString("base64url");
  const refreshToken = await storeRefreshToken(sql, deps, { userId: user.id, session, seed });
  return answerSession(sql, deps, { user, session, refreshToken });
}

/** The session with this identifier, if it still goes on. */
export async function findSession(sql: ISql, id: string, now: Date): Promise<SessionRow | null> {
  const [row] = await sql<SessionRow[]>`
    select id, user_id, coalesce(aal, 'aal1') as aal, factor_id, not_after, created_at
    from auth.sessions where id = ${id} and (not_after is null or not_after > ${now})`;
  return row ?? null;
}

/**
 * Exchanges a refresh token for a new pair. A token serves once; within ten seconds of its use, or two minutes where nobody
 * has used the next one, it brings the pair that is valid now. Later it ends the session, since either the client or a thief
 * has an old copy. A refusal is answered, not thrown: ending the session must last.
 */
export async function refreshSession(
  sql: ISql,
  deps: SessionDeps,
  token: string,
  request: Request,
): Promise<SessionAnswer | AuthError> {
  const hash = sha256(token);
  const [found] = await sql<{ session_id: string | null }[]>`
    select session_id from auth.refresh_tokens where token = ${hash}`;
  if (found === undefined) return refused("refresh_token_not_found", "Refresh Token Not Found");
  // From here on one refresh of a session follows the other.
  const [session] = await sql<RefreshedSession[]>`
    select id, user_id, coalesce(aal, 'aal1') as aal, factor_id, not_after, created_at,
      greatest(created_at, refreshed_at at time zone 'UTC') as last_used_at
    from auth.sessions where id = ${found.session_id} for update`;
  if (session === undefined) return refused("session_not_found", "No Valid Session Found");
  const now = deps.now();
  const isUnused = now.getTime() - session.last_used_at.getTime() > SESSION_IDLE_MS;
  if (isUnused || (session.not_after !== null && session.not_after <= now)) {
    return refused("session_expired", "Session Expired");
  }
  const user = await findUserById(sql, session.user_id);
  if (user === null) return refused("session_not_found", "No Valid Session Found");
  if (isBanned(user, now)) return refused("user_banned", "User Banned");

  const refreshToken = await rotate(sql, deps, session, hash);
  if (refreshToken === null) {
    await sql`delete from auth.sessions where id = ${session.id}`;
    return refused("refresh_token_already_used", "Already Used");
  }
  const { userAgent, ip } = deviceOf(deps, request);
  await sql`
    update auth.sessions
    set refreshed_at = ${now}::timestamptz at time zone 'UTC', updated_at = ${now},
      user_agent = ${userAgent}, ip = ${ip}
    where id = ${session.id}`;
  return answerSession(sql, deps, { user, session, refreshToken });
}

/** Raises a session to two proofs; its refresh token changes as well. */
export async function upgradeSession(
  sql: ISql,
  deps: SessionDeps,
  options: { user: UserRow; sessionId: string; method: FactorProof; factorId: string },
): Promise<SessionAnswer> {
  const { user, sessionId, method, factorId } = options;
  const now = deps.now();
  const [session] = await sql<SessionRow[]>`
    update auth.sessions set aal = 'aal2', factor_id = ${factorId}, updated_at = ${now}
    where id = ${sessionId} and user_id = ${user.id}
    returning id, user_id, aal, factor_id, not_after, created_at`;
  if (session === undefined) {
    throw new AuthError(403, "session_not_found", "Session does not exist");
  }
  await addProof(sql, session.id, method, now);
  // The holder of the earlier token may not get the stronger one for it, not even at the same
  // moment.
  await sql`delete from auth.refresh_tokens where session_id = ${session.id}`;
  const seed = randomBytes(32).toString("base64url");
  const refreshToken = await storeRefreshToken(sql, deps, { userId: user.id, session, seed });
  return answerSession(sql, deps, { user, session, refreshToken });
}

/**
 * Ends one session, all others of its user, or all, within a transaction. The account is locked before its sessions, as by
 * everything that changes it: two such changes at once would stop each other.
 */
export async function endSessions(
  sql: ISql,
  session: { id: string; userId: string },
  scope: "local" | "others" | "global",
): Promise<void> {
  await lockUser(sql, session.userId);
  if (scope === "local") await sql`delete from auth.sessions where id = ${session.id}`;
  else if (scope === "others") {
    await sql`
      delete from auth.sessions where user_id = ${session.userId} and id <> ${session.id}`;
  } else await sql`delete from auth.sessions where user_id = ${session.userId}`;
}

/** Notes a proof of a session; given again, it counts from now. */
async function addProof(sql: ISql, sessionId: string, method: AmrMethod, now: Date): Promise<void> {
  await sql`
    insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
    values (${randomUUID()}, ${sessionId}, ${method}, ${now}, ${now})
    on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`;
}

async function answerSession(
  sql: ISql,
  deps: SessionDeps,
  parts: { user: UserRow; session: { id: string; aal: Aal }; refreshToken: string },
): Promise<SessionAnswer> {
  const { user, session, refreshToken } = parts;
  const proofs = await sql<{ method: string; updated_at: Date }[]>`
    select authentication_method as method, updated_at
    from auth.mfa_amr_claims where session_id = ${session.id} order by updated_at desc`;
  const amr: AmrClaim[] = proofs.map(({ method, updated_at }) => ({
    method,
    timestamp: Math.floor(updated_at.getTime() / 1000),
  }));
  const { token, expiresAt } = await issueAccessToken(deps, session, user, amr);
  return {
    access_token: token,
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_S,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: await loadUserAnswer(sql, user),
  };
}

/** The refresh token that follows, or the one that is valid already; null for a misuse. */
async function rotate(
  sql: ISql,
  deps: SessionDeps,
  session: SessionRow,
  hash: string,
): Promise<string | null> {
  const now = deps.now();
  const [used] = await sql<{ revoked: boolean; updated_at: Date }[]>`
    select coalesce(revoked, false) as revoked, updated_at
    from auth.refresh_tokens where token = ${hash}`;
  if (used === undefined) return null;
  if (!used.revoked) {
    await revoke(sql, hash, now);
    return storeRefreshToken(sql, deps, { userId: session.user_id, session, seed: hash });
  }
  const active = await activeToken(sql, session.id);
  const isLost = active?.parent === hash;
  const longest = isLost ? LOST_ANSWER_MS : REUSE_INTERVAL_MS;
  const age = now.getTime() - used.updated_at.getTime();
  // One that was used by a clock ahead would serve until that time comes again.
  if (age > longest || age < -LOST_ANSWER_MS) return null;
  return active?.parent ? derive(deps, active.parent) : null;
}

async function revoke(sql: ISql, hash: string, now: Date): Promise<void> {
  await sql`
    update auth.refresh_tokens set revoked = true, updated_at = ${now} where token = ${hash}`;
}

async function activeToken(
  sql: ISql,
  sessionId: string,
): Promise<{ token: string; parent: string | null } | null> {
  const [row] = await sql<{ token: string; parent: string | null }[]>`
    select token, parent from auth.refresh_tokens
    where session_id = ${sessionId} and not coalesce(revoked, false)
    order by created_at desc limit 1`;
  return row ?? null;
}

/**
 * The database keeps a refresh token's hash only. The token itself is derived, under the installation's key, from what
 * is stored as its parent. So a client that lost the valid one gets it again, and a copy of the database opens no session.
 */
async function storeRefreshToken(
  sql: ISql,
  deps: SessionDeps,
  options: { userId: string; session: { id: string }; seed: string },
): Promise<string> {
  const token = derive(deps, options.seed);
  const now = deps.now();
  await sql`
    insert into auth.refresh_tokens
      (id, token, user_id, session_id, revoked, parent, created_at, updated_at)
    values (${randomUUID()}, ${sha256(token)}, ${options.userId}, ${options.session.id}, false,
      ${options.seed}, ${now}, ${now})`;
  return token;
}

function derive(deps: SessionDeps, seed: string): string {
  return deps.keyedHash("refresh token", seed);
}

function refused(code: string, reason: string): AuthError {
  return new AuthError(400, code, `Invalid Refresh Token: ${reason}`);
}

function deviceOf(
  deps: SessionDeps,
  request: Request,
): { userAgent: string | null; ip: string | null } {
  const address = deps.clientAddress(request);
  return {
    userAgent: request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX_LENGTH) || null,
    ip: isIP(address.replace(/\/\d+$/, "")) ? address : null,
  };
}
