import { randomBytes } from "node:crypto";
import type { ISql } from "postgres";
import { sha256 } from "../../../supabase/functions/_shared/http/sha256.ts";
import { asUuid } from "../as-uuid.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import { type Challenge, newAuthCode } from "../flow-state.ts";
import { seal } from "../seal.ts";
import type { ProviderTokens } from "./google.ts";

/** How long a person may take at the provider. */
export const FLOW_MS = 600_000;

/** A sign-in at a provider that has begun. */
export type Flow = {
  /** Of its row; for it the provider's tokens are sealed. */
  id: string;
  /** 256 random bits that go to the provider and back. */
  state: string;
  provider: string;
  /** Address of the redirect afterwards. */
  target: string;
  /** Whether the client exchanges a code for the session (PKCE). */
  isPkce: boolean;
  /** User who gets the identity when it is linked rather than signed in with. */
  linkingTo: string | null;
};

/** Remembers a sign-in until the provider sends the person back; answers its state, which the table does not hold. */
export async function beginFlow(
  sql: ISql,
  options: {
    provider: string;
    target: string;
    challenge: Challenge | null;
    linkingTo: string | null;
  },
  now: Date,
): Promise<string> {
  const state = randomBytes(32).toString("base64url");
  await sql`
    insert into auth.flow_state (id, authentication_method, provider_type, referrer, linking_target_id,
      code_challenge, code_challenge_method, created_at, updated_at)
    values (${idOf(state)}, 'oauth', ${options.provider}, ${options.target}, ${options.linkingTo},
      ${options.challenge?.challenge ?? null}, ${options.challenge?.method ?? null}, ${now}, ${now})`;
  return state;
}

function idOf(state: string): string {
  return asUuid(sha256(state));
}

/**
 * The sign-in that a state identifies. It is taken the moment it is asked for: whoever comes with
 * the same state again, or at the same time, gets none.
 */
export async function takeFlow(sql: ISql, state: string, now: Date): Promise<Flow> {
  if (state === "") {
    throw new AuthError(400, "bad_oauth_callback", "OAuth state parameter missing");
  }
  if (!/^[\w-]{43}$/.test(state)) {
    throw new AuthError(400, "bad_oauth_state", "OAuth state parameter is invalid");
  }
  // The platform's column for a client's own state says that this one has come back.
  const [row] = await sql<
    {
      id: string;
      provider_type: string;
      referrer: string | null;
      code_challenge: string | null;
      linking_target_id: string | null;
      created_at: Date;
    }[]
  >`
    update auth.flow_state set oauth_client_state_id = id, updated_at = ${now}
    where id = ${idOf(state)} and authentication_method = 'oauth' and oauth_client_state_id is null
    returning id, provider_type, referrer, code_challenge, linking_target_id, created_at`;
  if (row === undefined) {
    throw new AuthError(400, "bad_oauth_state", "OAuth state not found or expired");
  }
  if (now.getTime() - row.created_at.getTime() > FLOW_MS) {
    throw new AuthError(400, "bad_oauth_state", "OAuth state has expired");
  }
  return {
    id: row.id,
    state,
    provider: row.provider_type,
    target: row.referrer ?? "",
    isPkce: row.code_challenge !== null,
    linkingTo: row.linking_target_id,
  };
}

/** Ends a sign-in with a code that the client which began it exchanges for a session. */
export async function issueFlowCode(
  sql: ISql,
  deps: Pick<AuthDeps, "now" | "keyedHash">,
  flow: Flow,
  { userId, tokens }: { userId: string; tokens: ProviderTokens },
): Promise<string> {
  const code = newAuthCode();
  const now = deps.now();
  const sealed = (token: string | null) => token && seal(deps, flow.id, token);
  await sql`
    update auth.flow_state
    set user_id = ${userId}, auth_code = ${sha256(code)}, auth_code_issued_at = ${now},
      provider_access_token = ${sealed(tokens.accessToken)},
      provider_refresh_token = ${sealed(tokens.refreshToken)}, updated_at = ${now}
    where id = ${flow.id}`;
  return code;
}

/** Ends a sign-in that needs nothing more. */
export async function endFlow(sql: ISql, flow: Flow): Promise<void> {
  await sql`delete from auth.flow_state where id = ${flow.id}`;
}

/**
 * Checks that bind the provider's answer to this sign-in. They follow from the state under the
 * installation's key: nothing has to be stored, and they cannot be forged.
 */
export function checksOf({ keyedHash }: Pick<AuthDeps, "keyedHash">, state: string) {
  return {
    state,
    nonce: keyedHash("nonce of a sign-in", state),
    verifier: keyedHash("verifier of a sign-in", state),
  };
}
