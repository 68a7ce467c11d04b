import { createHash, randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import { z } from "zod";
import { isSameText } from "../../supabase/functions/_shared/http/same-text.ts";
import { sha256 } from "../../supabase/functions/_shared/http/sha256.ts";
import { AuthError, invalid } from "./errors.ts";
import { AMR_METHODS, type AmrMethod } from "./tokens.ts";

/** From the code in the address to its exchange. */
const CODE_MS = 300_000;

/** A client's promise to show later what it hashed: only it can exchange the code. */
export type Challenge = { challenge: string; method: "s256" | "plain" };

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
  const parsed = z.enum(["s256", "plain"]).safeParse(method.toLowerCase());
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

/** A code for the client that began last in this way; it is told once, the table keeps its hash. */
export async function issueAuthCode(
  sql: ISql,
  options: { userId: string; authenticationMethod: AmrMethod },
  now: Date,
): Promise<string> {
  const code = randomUUID();
  const [row] = await sql`
    update auth.flow_state set auth_code = ${sha256(code)}, auth_code_issued_at = ${now},
      updated_at = ${now}
    where id = (
      select id from auth.flow_state
      where user_id = ${options.userId}
        and authentication_method = ${options.authenticationMethod} and auth_code is null
      order by created_at desc limit 1
    )
    returning id`;
  if (row === undefined) {
    throw new AuthError(422, "flow_state_not_found", "No valid flow state found for user.");
  }
  return code;
}

/** What a code stands for. */
export type ExchangedFlow = {
  /** For which the provider's tokens are sealed. */
  id: string;
  userId: string;
  method: AmrMethod;
  providerToken: string | null;
  providerRefreshToken: string | null;
};

/** Exchanges a code, once, for what it stands for. */
export async function exchangeAuthCode(
  sql: ISql,
  { code, verifier }: { code: string; verifier: string },
  now: Date,
): Promise<ExchangedFlow> {
  const [flow] = await sql<
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
    from auth.flow_state where auth_code = ${sha256(code)} for update`;
  const method = z.enum(AMR_METHODS).safeParse(flow?.authentication_method);
  if (!flow?.user_id || !flow.auth_code_issued_at || !method.success) {
    throw new AuthError(
      404,
      "flow_state_not_found",
      "invalid flow state, no valid flow state found",
    );
  }
  if (now.getTime() - flow.auth_code_issued_at.getTime() > CODE_MS) {
    throw new AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired");
  }
  if (!matches(flow.code_challenge ?? "", flow.code_challenge_method, verifier)) {
    throw new AuthError(
      400,
      "bad_code_verifier",
      "code challenge does not match previously saved code verifier",
    );
  }
  await sql`delete from auth.flow_state where id = ${flow.id}`;
  return {
    id: flow.id,
    userId: flow.user_id,
    method: method.data,
    providerToken: flow.provider_access_token,
    providerRefreshToken: flow.provider_refresh_token,
  };
}

function matches(challenge: string, method: string | null, verifier: string): boolean {
  const shown =
    method === "plain" ? verifier : createHash("sha256").update(verifier).digest("base64url");
  return shown !== "" && isSameText(shown, challenge);
}
