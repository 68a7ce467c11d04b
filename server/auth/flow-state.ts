import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import { z } from "zod";
import { isSameText } from "../../supabase/functions/_shared/http/same-text.ts";
import { sha256 } from "../../supabase/functions/_shared/http/sha256.ts";
import { asUuid } from "./as-uuid.ts";
import type { AuthDeps } from "./deps.ts";
import { AuthError, invalid } from "./errors.ts";
import { AMR_METHODS, type AmrMethod } from "./tokens.ts";

/** From the code in the address to its exchange. */
const CODE_MS = 300_000;

/** A code for the client that began: 256 random bits, for an address. */
export function newAuthCode(): string {
  return randomBytes(32).toString("base64url");
}

/** A client's promise to show later what it hashed (SHA-256): only it can exchange the code. */
export type Challenge = { challenge: string; method: "s256" };

/** Reads the challenge of a call; null for one without. */
export function readChallenge(challenge: string, method: string): Challenge | null {
  if ((challenge === "") !== (method === "")) {
    throw invalid("PKCE flow requires code_challenge_method and code_challenge");
  }
  if (challenge === "") return null;
  if (challenge.length < 43 || challenge.length > 128) {
    throw invalid("code challenge has to be between 43 and 128 characters");
  }
  if (!/^[a-zA-Z._~0-9-]+$/.test(challenge)) {
    throw invalid(
      "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes",
    );
  }
  // `plain` would show everybody who sees the challenge what exchanges the code.
  const parsed = z.literal("s256").safeParse(method.toLowerCase());
  if (!parsed.success) throw invalid(`unsupported code_challenge method "${method.slice(0, 20)}"`);
  return { challenge, method: parsed.data };
}

/** Remembers a challenge until the link of the mail is followed. */
export async function rememberChallenge(
  sql: ISql,
  { challenge, method }: Challenge,
  options: { userId: string; authenticationMethod: AmrMethod; providerType: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into auth.flow_state (id, user_id, authentication_method, code_challenge_method,
      code_challenge, provider_type, created_at, updated_at)
    values (${randomUUID()}, ${options.userId}, ${options.authenticationMethod}, ${method},
      ${challenge}, ${options.providerType}, ${now}, ${now})`;
}

/**
 * A code for the client that began last in this way, or in one of these ways: which of them it is, its verifier says. It is
 * told once, the table keeps its hash; a link that is followed again gets another.
 */
export async function issueAuthCode(
  sql: ISql,
  options: { userId: string; methods: readonly AmrMethod[] },
  now: Date,
): Promise<string> {
  const code = newAuthCode();
  const [row] = await sql`
    update auth.flow_state set auth_code = ${sha256(code)}, auth_code_issued_at = ${now},
      updated_at = ${now}
    where id in (
      select distinct on (authentication_method) id from auth.flow_state
      where user_id = ${options.userId}
        and authentication_method = any (${[...options.methods]}::text[])
      order by authentication_method, created_at desc
    )
    returning id`;
  if (row === undefined) {
    throw new AuthError(422, "flow_state_not_found", "No valid flow state found for user.");
  }
  return code;
}

/** Revokes pending authorisation codes of an account that has changed since. */
export async function dropFlows(sql: ISql, userId: string): Promise<void> {
  await sql`
    delete from auth.flow_state where user_id = ${userId} and authentication_method <> 'oauth'`;
}

/** Flow that a code was exchanged for. */
export type ExchangedFlow = {
  /** For which the provider's tokens are sealed. */
  id: string;
  userId: string;
  method: AmrMethod;
  providerToken: string | null;
  providerRefreshToken: string | null;
};

/** User for whom a code was made; null for an unknown code. */
export async function findCodeUser(sql: ISql, code: string): Promise<string | null> {
  const [flow] = await sql<{ user_id: string | null }[]>`
    select user_id from auth.flow_state where auth_code = ${sha256(code)} limit 1`;
  return flow?.user_id ?? null;
}

/** Exchanges a code, once, for its user and methods. */
export async function exchangeAuthCode(
  sql: ISql,
  { code, verifier }: { code: string; verifier: string },
  now: Date,
): Promise<ExchangedFlow> {
  const hash = sha256(code);
  const flows = await sql<
    {
      id: string;
      user_id: string | null;
      authentication_method: string;
      code_challenge: string | null;
      code_challenge_method: string | null;
      provider_access_token: string | null;
      provider_refresh_token: string | null;
      auth_code_issued_at: Date | null;
    }[]
  >`
    select id, user_id, authentication_method, code_challenge, code_challenge_method,
      provider_access_token, provider_refresh_token, auth_code_issued_at
    from auth.flow_state where auth_code = ${hash} for update`;
  const [first] = flows;
  if (!first?.user_id || !first.auth_code_issued_at) {
    throw new AuthError(
      404,
      "flow_state_not_found",
      "invalid flow state, no valid flow state found",
    );
  }
  if (now.getTime() - first.auth_code_issued_at.getTime() > CODE_MS) {
    throw new AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired");
  }
  const flow = flows.find((one) => matches(one, verifier));
  const method = z.enum(AMR_METHODS).safeParse(flow?.authentication_method);
  if (flow === undefined || !method.success) {
    throw new AuthError(
      400,
      "bad_code_verifier",
      "code challenge does not match previously saved code verifier",
    );
  }
  await sql`delete from auth.flow_state where auth_code = ${hash}`;
  return {
    id: flow.id,
    userId: first.user_id,
    method: method.data,
    providerToken: flow.provider_access_token,
    providerRefreshToken: flow.provider_refresh_token,
  };
}

/**
 * Identifier of the session that a code brings, derived from code and verifier under the installation's key. Whoever has both
 * again names that session, so nothing is kept of a used code.
 */
export function sessionIdOf(
  { keyedHash }: Pick<AuthDeps, "keyedHash">,
  { code, verifier }: { code: string; verifier: string },
): string {
  return asUuid(keyedHash("session of a code", `${code}\0${hashOf(verifier)}`));
}

function matches(
  {
    code_challenge,
    code_challenge_method,
  }: Record<"code_challenge" | "code_challenge_method", string | null>,
  verifier: string,
): boolean {
  if (code_challenge_method !== "s256" || verifier === "") return false;
  return isSameText(hashOf(verifier), code_challenge ?? "");
}

function hashOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
