import type { SupabaseClient } from "@supabase/supabase-js";
import { Secret, TOTP } from "otpauth";
import type { User } from "../../harness/fixtures.ts";
import { PASSWORD } from "../../harness/fixtures.ts";

/** The part of the official client that these helpers use, whatever its schema. */
type AuthClient = Pick<SupabaseClient, "auth">;

/** Secret that an authenticator app holds. */
export type Authenticator = { factorId: string; secret: string };

/** Signs in by password, as every way to a second factor begins. */
export async function signIn<Client extends AuthClient>(
  client: Client,
  user: Pick<User, "email">,
): Promise<Client> {
  const { error } = await client.auth.signInWithPassword({ email: user.email, password: PASSWORD });
  if (error) throw error;
  return client;
}

/** The access token of a client's session. */
export async function tokenOf(client: AuthClient): Promise<string> {
  const { data } = await client.auth.getSession();
  return data.session?.access_token ?? "";
}

/** The one-time password of a moment, or of 30 seconds later or earlier. */
export function codeAt({ secret }: Pick<Authenticator, "secret">, now: Date, steps = 0): string {
  return TOTP.generate({
    secret: Secret.fromBase32(secret),
    timestamp: now.getTime() + steps * 30_000,
  });
}

/** A code that is not the right one, nor its neighbours'. */
export function wrongCode(authenticator: Pick<Authenticator, "secret">, now: Date): string {
  const right = [-1, 0, 1].map((steps) => codeAt(authenticator, now, steps));
  return ["000000", "111111", "222222", "333333"].find((code) => !right.includes(code)) ?? "";
}

/** Begins a factor without finishing it. */
export async function enrol(client: AuthClient, friendlyName = ""): Promise<Authenticator> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
  if (error) throw error;
  return { factorId: data.id, secret: data.totp.secret };
}

/** Sets a factor up to its end: the client's session has used it then. */
export async function addFactor(
  client: AuthClient,
  now: Date,
  friendlyName = "",
): Promise<Authenticator> {
  const authenticator = await enrol(client, friendlyName);
  await takeSecondStep(client, authenticator, now);
  return authenticator;
}

/** Takes the second step. */
export async function takeSecondStep(
  client: AuthClient,
  authenticator: Authenticator,
  now: Date,
): Promise<void> {
  const { error } = await client.auth.mfa.challengeAndVerify({
    factorId: authenticator.factorId,
    code: codeAt(authenticator, now),
  });
  if (error) throw error;
}
