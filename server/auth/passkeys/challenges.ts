import type { ISql, Sql } from "postgres";
import { z } from "zod";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";

/** How long a challenge may be answered, as on the hosted platform. */
const CHALLENGE_MS = 300_000;

type Kind = "registration" | "authentication";

const sessionData = z.object({ challenge: z.string().min(1) });

/** Body of both `verify` calls; the credential is parsed once its challenge is consumed. */
export const verification = z.object({
  challenge_id: z.unknown(),
  credential: z.unknown(),
});

/** Identifier of the challenge that a body answers. */
export function challengeIdOf({ challenge_id, credential }: z.infer<typeof verification>): string {
  if (!challenge_id) throw invalid("challenge_id is required");
  if (!credential) throw invalid("credential is required");
  const id = z.uuid().safeParse(challenge_id);
  if (!id.success) throw invalid("challenge_id must be a valid UUID");
  return id.data;
}

/** Stores a challenge, for a user's registration, or for a sign-in whose user is unknown yet; `expiresAt` in seconds. */
export async function createChallenge(
  { sql, now }: Pick<AuthDeps, "sql" | "now">,
  { kind, userId, challenge }: { kind: Kind; userId: string | null; challenge: string },
): Promise<{ id: string; expiresAt: number }> {
  const at = now();
  const until = new Date(at.getTime() + CHALLENGE_MS);
  const [row] = await sql<{ id: string }[]>`
    insert into auth.webauthn_challenges (user_id, challenge_type, session_data, created_at, expires_at)
    values (${userId}, ${kind}, ${sql.json({ challenge })}, ${at}, ${until})
    returning id`;
  if (row === undefined) throw new Error("The challenge was not stored.");
  return { id: row.id, expiresAt: Math.floor(until.getTime() / 1000) };
}

/**
 * Deletes a challenge and answers it: of two answers at once, one finds it. Call it outside a transaction, so that a wrong
 * answer uses it up too.
 */
export async function consumeChallenge(
  sql: Sql,
  { id, kind, userId }: { id: string; kind: Kind; userId: string | null },
  now: Date,
): Promise<string> {
  const [row] = await sql<{ data: unknown; expires_at: Date }[]>`
    delete from auth.webauthn_challenges
    where id = ${id} and challenge_type = ${kind} and user_id is not distinct from ${userId}::uuid
    returning session_data as data, expires_at`;
  const read = sessionData.safeParse(row?.data);
  if (row === undefined || !read.success) {
    throw new AuthError(400, "webauthn_challenge_not_found", "Challenge not found or already used");
  }
  if (now >= row.expires_at) {
    throw new AuthError(400, "webauthn_challenge_expired", "Challenge has expired");
  }
  return read.data.challenge;
}

/** One refusal for all that does not fit: an attacker learns nothing from it. */
export function failed(): AuthError {
  return new AuthError(400, "webauthn_verification_failed", "Credential verification failed");
}

/** Records that an account got or lost a passkey, and notifies its user. */
export async function notePasskey(
  sql: ISql,
  event: "passkey_added" | "passkey_removed",
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<void> {
  await sql`select private.note_passkey(${userId}, ${event}, ${sessionId})`;
}
