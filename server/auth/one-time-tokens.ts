import { randomInt, randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import { HOUR_MS } from "#domain/text/durations.ts";
import { sha256 } from "../../supabase/functions/_shared/http/sha256.ts";
import type { AuthDeps } from "./deps.ts";

/** Kind of proof that a token gives, in the hosted platform's words. */
export type TokenType =
  | "confirmation_token"
  | "reauthentication_token"
  | "recovery_token"
  | "email_change_token_new"
  | "email_change_token_current"
  | "phone_change_token";

/** Starts the token of a link whose answer goes to the client that asked (PKCE). */
export const PKCE_PREFIX = "pkce_";

/** Links hold for an hour. */
export const LINK_MS = HOUR_MS;

/** Codes on a phone for ten minutes. */
export const SMS_CODE_MS = 600_000;

/** A token that was used up. */
export type ConsumedToken = { userId: string; type: TokenType; relatesTo: string };

/**
 * Token in the two forms that a person gets: a six-digit code to type, or a link's token; either
 * works once.
 */
export type IssuedToken = { code: string; link: string };

type TokenDeps = Pick<AuthDeps, "now" | "keyedHash">;

/** A code that a person reads in one place and types in another. */
export function sixDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/**
 * Makes a token for a mailbox or a phone; an earlier one of the same kind stops working. The
 * token of the link follows from the code under the installation's key, and the database keeps
 * a hash of that: six digits could be tried out against a copy of it, this cannot.
 */
export async function createToken(
  sql: ISql,
  deps: TokenDeps,
  options: { userId: string; type: TokenType; relatesTo: string; isPkce?: boolean },
): Promise<IssuedToken> {
  const { userId, type, relatesTo, isPkce = false } = options;
  const code = sixDigits();
  const link = linkOf(deps, { type, relatesTo, code, isPkce });
  await sql`
    insert into auth.one_time_tokens
      (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
    values (${randomUUID()}, ${userId}, ${type}, ${sha256(link)}, ${relatesTo},
      ${deps.now()}::timestamptz at time zone 'UTC', ${deps.now()}::timestamptz at time zone 'UTC')
    on conflict (user_id, token_type) do update
      set token_hash = excluded.token_hash, relates_to = excluded.relates_to,
        created_at = excluded.created_at, updated_at = excluded.updated_at`;
  return { code, link };
}

/** Uses up the token of a link; null when it is unknown, of another kind, used or too old. */
export async function consumeLink(
  sql: ISql,
  deps: TokenDeps,
  types: readonly TokenType[],
  link: string,
): Promise<ConsumedToken | null> {
  return consume(sql, deps, { types, hashes: [sha256(link)], validMs: LINK_MS });
}

/** Account to which the token of a link belongs; the token stays as it is. Null as above. */
export async function findLinkToken(
  sql: ISql,
  deps: TokenDeps,
  types: readonly TokenType[],
  link: string,
): Promise<ConsumedToken | null> {
  const oldest = new Date(deps.now().getTime() - LINK_MS);
  const [row] = await sql<{ user_id: string; token_type: TokenType; relates_to: string }[]>`
    select user_id, token_type, relates_to from auth.one_time_tokens
    where token_hash = ${sha256(link)}
      and token_type = any (${[...types]}::auth.one_time_token_type[])
      and created_at > ${oldest}::timestamptz at time zone 'UTC'`;
  if (row === undefined) return null;
  return { userId: row.user_id, type: row.token_type, relatesTo: row.relates_to };
}

/** The same for a code, which only counts for the mailbox or phone that it was sent to. */
export async function consumeCode(
  sql: ISql,
  deps: TokenDeps,
  types: readonly TokenType[],
  { relatesTo, code, validMs = LINK_MS }: { relatesTo: string; code: string; validMs?: number },
): Promise<ConsumedToken | null> {
  const hashes = types.flatMap((type) =>
    [false, true].map((isPkce) => sha256(linkOf(deps, { type, relatesTo, code, isPkce }))),
  );
  return consume(sql, deps, { types, hashes, validMs });
}

async function consume(
  sql: ISql,
  deps: TokenDeps,
  {
    types,
    hashes,
    validMs,
  }: { types: readonly TokenType[]; hashes: readonly string[]; validMs: number },
): Promise<ConsumedToken | null> {
  const oldest = new Date(deps.now().getTime() - validMs);
  const [row] = await sql<{ user_id: string; token_type: TokenType; relates_to: string }[]>`
    delete from auth.one_time_tokens
    where token_hash = any (${[...hashes]}::text[])
      and token_type = any (${[...types]}::auth.one_time_token_type[])
      and created_at > ${oldest}::timestamptz at time zone 'UTC'
    returning user_id, token_type, relates_to`;
  if (row === undefined) return null;
  return { userId: row.user_id, type: row.token_type, relatesTo: row.relates_to };
}

/** Revokes unused tokens that were sent: the account has changed since. */
export async function dropTokens(
  sql: ISql,
  userId: string,
  types: readonly TokenType[],
): Promise<void> {
  await sql`
    delete from auth.one_time_tokens
    where user_id = ${userId} and token_type = any (${[...types]}::auth.one_time_token_type[])`;
}

function linkOf(
  { keyedHash }: TokenDeps,
  {
    type,
    relatesTo,
    code,
    isPkce,
  }: { type: TokenType; relatesTo: string; code: string; isPkce: boolean },
): string {
  const token = keyedHash(`auth ${type}`, `${relatesTo}\0${code}`);
  return isPkce ? `${PKCE_PREFIX}${token}` : token;
}
