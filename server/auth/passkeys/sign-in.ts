import type { Context } from "hono";
import type { ISql } from "postgres";
import { z } from "zod";
import { readBody } from "../body.ts";
import { checkCaptcha } from "../captcha.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import { countAttempt, requireAttempt } from "../limits.ts";
import { type SessionAnswer, startSession } from "../sessions.ts";
import { logged } from "../sign-in-log.ts";
import { isBanned, lockUser } from "../users.ts";
import { assertion, readAssertion, requestOptions } from "../webauthn.ts";
import {
  challengeIdOf,
  consumeChallenge,
  createChallenge,
  failed,
  verification,
} from "./challenges.ts";
import { lockKey } from "./passkeys.ts";

/** `POST /passkeys/authentication/options`: what a device needs to sign in with any passkey of this site. */
export async function startAuthentication(context: Context, deps: AuthDeps): Promise<Response> {
  const request = context.req.raw;
  requireAttempt(deps, "sign_in", request);
  await checkCaptcha(context, deps);
  await countAttempt(deps, { kind: "sign_in", request });
  const options = await requestOptions(deps.settings, "sign_in");
  const { challenge } = options;
  const stored = await createChallenge(deps, { kind: "authentication", userId: null, challenge });
  return context.json({ challenge_id: stored.id, options, expires_at: stored.expiresAt });
}

/** `POST /passkeys/authentication/verify`: a session for the user of the passkey. */
export async function verifyAuthentication(context: Context, deps: AuthDeps): Promise<Response> {
  const session = await logged(context, deps, "passkey", () => answerChallenge(context, deps));
  return context.json(session);
}

async function answerChallenge(context: Context, deps: AuthDeps): Promise<SessionAnswer> {
  const request = context.req.raw;
  const given = await readBody(context, verification);
  const reference = { id: challengeIdOf(given), kind: "authentication", userId: null } as const;
  await countAttempt(deps, { kind: "passkey", request });
  const challenge = await consumeChallenge(deps.sql, reference, deps.now());
  const answer = assertion.safeParse(given.credential);
  if (!answer.success) throw failed();
  return deps.sql.begin((sql) => signIn(sql, deps, { answer: answer.data, challenge, request }));
}

async function signIn(
  sql: ISql,
  deps: AuthDeps,
  {
    answer,
    challenge,
    request,
  }: { answer: z.infer<typeof assertion>; challenge: string; request: Request },
): Promise<SessionAnswer> {
  const now = deps.now();
  const handle = Buffer.from(answer.response.userHandle ?? "", "base64url").toString();
  const named = z.uuid().safeParse(handle).data;
  // The account before its key, as who removes a key locks them.
  const user = named === undefined ? null : await lockUser(sql, named);
  const passkey = user && (await lockKey(sql, user.id, answer.id));
  if (user === null || passkey === null) throw failed();
  const { id, key } = passkey;
  const used = await readAssertion(deps.settings, "sign_in", answer, { challenge, key });
  if (used === null) throw failed();
  // From here on the owner of the passkey is known, and may learn the state of their account.
  if (isBanned(user, now)) throw new AuthError(403, "user_banned", "User is banned");
  if (user.email && user.email_confirmed_at === null) {
    throw new AuthError(403, "email_not_confirmed", "Email not confirmed");
  }
  if (user.phone && user.phone_confirmed_at === null) {
    throw new AuthError(403, "phone_not_confirmed", "Phone not confirmed");
  }
  await sql`
    update auth.webauthn_credentials
    set sign_count = ${used.counter}, backed_up = ${used.isBackedUp}, last_used_at = ${now},
      updated_at = ${now}
    where id = ${id}`;
  return startSession(sql, deps, { user, method: "passkey", request });
}
