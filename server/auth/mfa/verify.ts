import type { Context } from "hono";
import type { ISql } from "postgres";
import { z } from "zod";
import { enqueueMail } from "../../mail/outbox.ts";
import { type Authenticated, requireUser } from "../authenticate.ts";
import { optionalText, readBody } from "../body.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { countAttempt, resetAttempts } from "../limits.ts";
import { nameOf } from "../messages.ts";
import { unseal } from "../seal.ts";
import { type SessionAnswer, upgradeSession } from "../sessions.ts";
import { logged } from "../sign-in-log.ts";
import { type FactorRow, lockUser } from "../users.ts";
import { readAssertion, readRegistration } from "../webauthn.ts";
import { requireAssurance } from "./assurance.ts";
import { addressOf, CHALLENGE_MS, codeHash } from "./challenge.ts";
import { failed, knownKey, storedKey, type WebauthnAnswer, webauthnAnswer } from "./device-key.ts";
import {
  dropUnverified,
  findFactor,
  isKeyTaken,
  markVerified,
  proofOf,
  readFactor,
  type SecretFactor,
} from "./factors.ts";
import { stepOf } from "./totp.ts";

const verification = z.object({
  challenge_id: z.uuid(),
  code: optionalText,
  webauthn: webauthnAnswer.optional(),
});

/** The question that was put to a device. */
const asked = z.object({ type: z.enum(["create", "request"]), challenge: z.string().min(1) });

/** Answer to a challenge, with the factor and the challenge that it has to fit. */
type Attempt = {
  factorId: string;
  challengeId: string;
  code: string;
  webauthn: WebauthnAnswer | undefined;
  address: string;
};

/**
 * `POST /factors/{id}/verify`: answers a question with a code, or as a device does. The session goes on with two
 * proofs and new tokens; sessions of the user with fewer end, as on the hosted platform.
 */
export async function verifyFactor(context: Context, deps: AuthDeps): Promise<Response> {
  const who = await requireUser(context, deps);
  const { id: factorId, factor_type } = await readFactor(context, deps.sql, who.user.id);
  const session = await logged(context, deps, `factor/${factor_type}`, () =>
    answerFactor(context, deps, who, { factorId, factor_type }),
  );
  return context.json(session);
}

async function answerFactor(
  context: Context,
  deps: AuthDeps,
  who: Authenticated,
  { factorId, factor_type }: { factorId: string; factor_type: FactorRow["factor_type"] },
): Promise<SessionAnswer> {
  const { challenge_id, code, webauthn } = await readBody(context, verification);
  if (factor_type === "webauthn") {
    if (!webauthn) throw invalid("WebAuthn config required");
  } else if (code === "") throw invalid("Code needs to be non-empty");
  const request = context.req.raw;
  const account = who.user.id;
  // Six digits: what a thief of the password may try has to stay few, in a quarter of an hour and in a day.
  await countAttempt(deps, { kind: "mfa", request, account });
  await countAttempt(deps, { kind: "mfa_day", request, account });
  const address = addressOf(deps, request);
  const attempt = { factorId, challengeId: challenge_id, code, webauthn, address };
  const session = await deps.sql.begin((sql) => verify(sql, deps, who, attempt));
  await resetAttempts(deps, { kind: "mfa", request, account });
  return session;
}

async function verify(
  sql: ISql,
  deps: AuthDeps,
  who: Authenticated,
  attempt: Attempt,
): Promise<SessionAnswer> {
  const now = deps.now();
  // One after the other: of two answers at once, the later finds the question answered.
  const user = await lockUser(sql, who.user.id);
  const factor = await findFactor(sql, who.user.id, attempt.factorId);
  if (user === null || factor === null) {
    throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  }
  // Set up before another factor counted, this one would be a way round that other.
  if (factor.status === "unverified") await requireAssurance(sql, who);
  const question = await checkChallenge(sql, factor, attempt, now);
  if (factor.factor_type === "webauthn") {
    await takeAnswer(sql, deps, { factor, question, answer: attempt.webauthn });
  } else if (!(await isRight(sql, deps, factor, attempt))) {
    const kind = factor.factor_type === "phone" ? "MFA Phone" : "TOTP";
    throw new AuthError(422, "mfa_verification_failed", `Invalid ${kind} code entered`);
  }
  await sql`
    update auth.mfa_challenges set verified_at = ${now} where id = ${attempt.challengeId}`;
  if (factor.status === "unverified") {
    await markVerified(sql, factor, now);
    if (user.email) {
      await enqueueMail(sql, {
        template: "factor_added",
        to: user.email,
        data: { email: user.email, ...nameOf(user) },
      });
    }
  }
  await dropUnverified(sql, factor);
  const session = await upgradeSession(sql, deps, {
    user,
    sessionId: who.session.id,
    method: proofOf(factor),
    factorId: factor.id,
  });
  await sql`
    delete from auth.sessions where user_id = ${user.id} and coalesce(aal, 'aal1') = 'aal1'`;
  return session;
}

/** The question, where it was put for this factor, to this address, lately, and waits for its answer; null of a code. */
async function checkChallenge(
  sql: ISql,
  factor: SecretFactor,
  { challengeId, address }: Attempt,
  now: Date,
): Promise<unknown> {
  const [challenge] = await sql<
    { created_at: Date; verified_at: Date | null; isHere: boolean; question: unknown }[]
  >`
    select created_at, verified_at, ip_address = ${address}::inet as "isHere",
      web_authn_session_data as question
    from auth.mfa_challenges where id = ${challengeId} and factor_id = ${factor.id}`;
  if (challenge === undefined) {
    throw new AuthError(
      422,
      "mfa_factor_not_found",
      "MFA factor with the provided challenge ID not found",
    );
  }
  if (challenge.verified_at !== null || !challenge.isHere) {
    throw new AuthError(
      422,
      "mfa_ip_address_mismatch",
      "Challenge and verify IP addresses mismatch.",
    );
  }
  if (now.getTime() - challenge.created_at.getTime() > CHALLENGE_MS) {
    throw new AuthError(
      422,
      "mfa_challenge_expired",
      `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
    );
  }
  return challenge.question;
}

/** Takes the answer of a device: the key that it has made, or the use of the one that it has. */
async function takeAnswer(
  sql: ISql,
  { settings }: Pick<AuthDeps, "settings">,
  {
    factor,
    question,
    answer,
  }: { factor: SecretFactor; question: unknown; answer: WebauthnAnswer | undefined },
): Promise<void> {
  const put = asked.safeParse(question).data;
  // A key that was made elsewhere answers no question to use the one that is there.
  if (!put || answer?.type !== put.type) throw failed();
  if ((factor.status === "verified") !== (put.type === "request")) throw failed();
  if (answer.type === "request") {
    const key = knownKey(factor.web_authn_credential);
    const asked = { challenge: put.challenge, key };
    const used = await readAssertion(settings, "second_factor", answer.credential_response, asked);
    if (used === null) throw failed();
    await sql`
      update auth.mfa_factors
      set web_authn_credential =
        jsonb_set(web_authn_credential, '{authenticator,signCount}', ${sql.json(used.counter)})
      where id = ${factor.id}`;
    return;
  }
  const response = answer.credential_response;
  const made = await readRegistration(settings, "second_factor", response, put.challenge);
  if (made === null || (await isKeyTaken(sql, made.id))) throw failed();
  await sql`
    update auth.mfa_factors
    set web_authn_credential = ${sql.json(storedKey(made))}, web_authn_aaguid = ${made.aaguid}
    where id = ${factor.id}`;
}

/** Whether a code is the right one and has not been used. */
async function isRight(
  sql: ISql,
  deps: AuthDeps,
  factor: SecretFactor,
  { challengeId, code }: Attempt,
): Promise<boolean> {
  if (factor.factor_type === "phone") {
    const [row] = await sql`
      select from auth.mfa_challenges
      where id = ${challengeId} and otp_code = ${codeHash(deps, challengeId, code)}`;
    return row !== undefined;
  }
  if (factor.secret === null) return false;
  const step = stepOf(unseal(deps, factor.id, factor.secret), code, deps.now());
  if (step === null) return false;
  const [row] = await sql<{ accepted: boolean }[]>`
    select private.accept_totp_step(${factor.id}, ${step}) as accepted`;
  return row?.accepted === true;
}
