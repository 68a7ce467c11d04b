import { randomInt, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { Context } from "hono";
import type { ISql } from "postgres";
import { z } from "zod";
import { enqueueSms } from "../../mail/outbox.ts";
import { requireUser } from "../authenticate.ts";
import { optionalText, readBody } from "../body.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { countAttempt, countMessage } from "../limits.ts";
import { sixDigits } from "../one-time-tokens.ts";
import type { UserRow } from "../users.ts";
import { creationOptions, requestOptions } from "../webauthn.ts";
import { knownKey } from "./device-key.ts";
import { listCredentials, readFactor, type SecretFactor } from "./factors.ts";
import { mfaCopy } from "./mfa.copy.ts";

/** How long a question may be answered. */
export const CHALLENGE_MS = 300_000;

/** Two codes to the same phone are at least so far apart. */
const SMS_PAUSE_MS = 60_000;

/** Placeholder for an unknown address, since the column is not null. */
const UNKNOWN_ADDRESS = "0.0.0.0";

const channel = z.object({ channel: optionalText });

/** `POST /factors/{id}/challenge`: puts the question that `verify` answers, by SMS for a phone. */
export async function challengeFactor(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireUser(context, deps);
  const factor = await readFactor(context, deps.sql, user.id);
  const asked = await readBody(context, channel);
  const request = context.req.raw;
  await countAttempt(deps, { kind: "mfa_challenge", request, account: user.id });
  if (factor.factor_type === "phone") {
    if (!["", "sms"].includes(asked.channel))
      throw invalid("Invalid channel, supported value is 'sms'");
    await countMessage(deps, request, { kind: "phone", value: factor.phone ?? "" });
  }
  const question = factor.factor_type === "webauthn" ? await askDevice(deps, user, factor) : null;
  const id = await deps.sql.begin((sql) =>
    putQuestion(sql, deps, { factor, request, session: question?.session ?? null }),
  );
  const expiresAt = Math.floor((deps.now().getTime() + CHALLENGE_MS) / 1000);
  return context.json({
    ...{ id, type: factor.factor_type, expires_at: expiresAt },
    ...(question && { webauthn: question.webauthn }),
  });
}

/** The question to a device: to make its key, or to use the one that it made. */
async function askDevice(deps: AuthDeps, user: UserRow, factor: SecretFactor) {
  const { settings, sql } = deps;
  if (factor.status === "verified") {
    const key = knownKey(factor.web_authn_credential);
    const publicKey = await requestOptions(settings, "second_factor", [key]);
    const session = { type: "request", challenge: publicKey.challenge };
    return { session, webauthn: { type: "request", credential_options: { publicKey } } };
  }
  const name = mfaCopy.keyName(user.email || user.phone || user.id);
  const present = (await listCredentials(sql, user.id)).map(knownKey);
  const owner = { handle: `${user.id} 2`, name };
  const publicKey = await creationOptions(settings, "second_factor", owner, present);
  const session = { type: "create", challenge: publicKey.challenge };
  return { session, webauthn: { type: "create", credential_options: { publicKey } } };
}

async function putQuestion(
  sql: ISql,
  deps: AuthDeps,
  {
    factor,
    request,
    session,
  }: {
    factor: SecretFactor;
    request: Request;
    /** Challenge that a device's answer will be compared with. */
    session: { type: string; challenge: string } | null;
  },
): Promise<string> {
  const now = deps.now();
  const id = randomUUID();
  // The row may have been removed since the read.
  const [kept] = await sql`
    select from auth.mfa_factors where id = ${factor.id} for no key update`;
  if (kept === undefined) throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  const code = factor.factor_type === "phone" ? await sendCode(sql, deps, factor, now) : null;
  await sql`
    insert into auth.mfa_challenges
      (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
    values (${id}, ${factor.id}, ${now}, ${addressOf(deps, request)},
      ${code === null ? null : codeHash(deps, id, code)}, ${session && sql.json(session)})`;
  return id;
}

/** Sends a new code to the factor's phone, unless the last one has only just gone. */
async function sendCode(
  sql: ISql,
  deps: AuthDeps,
  factor: SecretFactor,
  now: Date,
): Promise<string> {
  if (!deps.settings.hasPhone || factor.phone === null) {
    throw new AuthError(
      422,
      "mfa_phone_verify_not_enabled",
      "MFA verification is disabled for Phone",
    );
  }
  // The column is unique on the platform: the digits beyond milliseconds keep two users apart.
  const [row] = await sql`
    update auth.mfa_factors
    set last_challenged_at = ${now}::timestamptz + make_interval(secs => ${randomInt(1000)} / 1e6)
    where id = ${factor.id}
      and (last_challenged_at is null
        or last_challenged_at <= ${new Date(now.getTime() - SMS_PAUSE_MS)})
    returning id`;
  if (row === undefined) {
    const seconds = Math.ceil(SMS_PAUSE_MS / 1000);
    throw new AuthError(
      429,
      "over_sms_send_rate_limit",
      `For security purposes, you can only request this after ${seconds} seconds.`,
      { headers: { "retry-after": String(seconds) } },
    );
  }
  const code = sixDigits();
  await enqueueSms(sql, { to: factor.phone, body: mfaCopy.smsCode(code) });
  return code;
}

/** Hash of a sent code: nothing that a copy of the database could try out. */
export function codeHash(
  { keyedHash }: Pick<AuthDeps, "keyedHash">,
  challengeId: string,
  code: string,
): string {
  return keyedHash("code of a phone factor", `${challengeId}\0${code}`);
}

/** Address that a question is bound to. */
export function addressOf(deps: Pick<AuthDeps, "clientAddress">, request: Request): string {
  const address = deps.clientAddress(request);
  return isIP(address.replace(/\/\d+$/, "")) ? address : UNKNOWN_ADDRESS;
}
