import type { Context } from "hono";
import { typeset } from "#domain/text/typeset.ts";
import { type Authenticated, requireUser } from "../authenticate.ts";
import { readBody } from "../body.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import { countAttempt } from "../limits.ts";
import { isKeyTaken } from "../mfa/factors.ts";
import { lockUser } from "../users.ts";
import { creationOptions, type MadeKey, readRegistration, registration } from "../webauthn.ts";
import {
  challengeIdOf,
  consumeChallenge,
  createChallenge,
  failed,
  notePasskey,
  verification,
} from "./challenges.ts";
import { passkeysCopy } from "./passkeys.copy.ts";
import { listKeys, type PasskeyRow, passkeyAnswer } from "./passkeys.ts";
import { requireProof } from "./proof.ts";

/** As many as on the hosted platform. */
const MAX_PASSKEYS = 10;

/** `POST /passkeys/registration/options`: what a device needs to create a passkey for the signed-in user. */
export async function startRegistration(context: Context, deps: AuthDeps): Promise<Response> {
  const who = await requireUser(context, deps);
  const { user } = who;
  await requireProof(deps, who);
  await countAttempt(deps, { kind: "passkey", request: context.req.raw, account: user.id });
  const present = await listKeys(deps.sql, user.id);
  if (present.length >= MAX_PASSKEYS) throw tooMany();
  const owner = { handle: user.id, name: user.email || user.phone || user.id };
  const options = await creationOptions(deps.settings, "sign_in", owner, present);
  const { challenge } = options;
  const stored = await createChallenge(deps, { kind: "registration", userId: user.id, challenge });
  return context.json({ challenge_id: stored.id, options, expires_at: stored.expiresAt });
}

/** `POST /passkeys/registration/verify`: stores the passkey that the device has created. */
export async function verifyRegistration(context: Context, deps: AuthDeps): Promise<Response> {
  const who = await requireUser(context, deps);
  await requireProof(deps, who);
  const given = await readBody(context, verification);
  const reference = {
    id: challengeIdOf(given),
    kind: "registration",
    userId: who.user.id,
  } as const;
  const challenge = await consumeChallenge(deps.sql, reference, deps.now());
  const answer = registration.safeParse(given.credential);
  if (!answer.success) throw failed();
  const key = await readRegistration(deps.settings, "sign_in", answer.data, challenge);
  if (key === null) throw failed();
  const { id, friendly_name, created_at } = await store(deps, who, key);
  return context.json(passkeyAnswer({ id, friendly_name, created_at, last_used_at: null }));
}

async function store(deps: AuthDeps, { user, session }: Authenticated, key: MadeKey) {
  const now = deps.now();
  return deps.sql.begin(async (sql) => {
    // One after the other, so that no user gets more than allowed; and not in a session that has just ended.
    const [alive] = (await lockUser(sql, user.id))
      ? await sql`select from auth.sessions where id = ${session.id}`
      : [];
    if (alive === undefined) {
      throw new AuthError(
        403,
        "session_not_found",
        "Session from session_id claim in JWT does not exist",
      );
    }
    if ((await listKeys(sql, user.id)).length >= MAX_PASSKEYS) throw tooMany();
    if (await isKeyTaken(sql, key.id)) throw known();
    // Pages show names as they are kept.
    const name = typeset(passkeysCopy.authenticators[key.aaguid] ?? passkeysCopy.other);
    const [row] = await sql<PasskeyRow[]>`
      insert into auth.webauthn_credentials
        (user_id, credential_id, public_key, attestation_type, aaguid, sign_count, transports,
          backup_eligible, backed_up, friendly_name, created_at, updated_at)
      values (${user.id}, ${Buffer.from(key.id, "base64url")}, ${Buffer.from(key.publicKey)}, 'none',
        ${key.aaguid}, ${key.counter}, ${sql.json(key.transports)}, ${key.isBackupEligible},
        ${key.isBackedUp}, ${name}, ${now}, ${now})
      on conflict (credential_id) do nothing
      returning id, friendly_name, created_at, last_used_at`;
    if (row === undefined) throw known();
    await notePasskey(sql, "passkey_added", { userId: user.id, sessionId: session.id });
    return row;
  });
}

function tooMany(): AuthError {
  return new AuthError(422, "too_many_passkeys", "Maximum number of passkeys reached");
}

function known(): AuthError {
  return new AuthError(422, "webauthn_credential_exists", "This credential is already registered");
}
