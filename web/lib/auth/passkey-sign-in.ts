import { AppError, authError } from "../app-error.ts";
import type { Supabase } from "../supabase.ts";
import { isMade, isUsed, refused } from "./passkey.ts";

/** Signs in with a passkey, which the browser lets the person choose; the session then moves the page on. */
export async function signInWithPasskey(
  supabase: Supabase,
  captchaToken: string | undefined,
): Promise<void> {
  const { passkey } = supabase.auth;
  const options = captchaToken ? { captchaToken } : {};
  const asked = await passkey.startAuthentication({ options });
  if (asked.error) throw authError(asked.error);
  const { extensions: _, ...request } = asked.data.options;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request);
  const key = await navigator.credentials.get({ publicKey }).catch(refused);
  if (!isUsed(key)) throw new AppError("passkey_refused");
  const challengeId = asked.data.challenge_id;
  const { error } = await passkey.verifyAuthentication({ challengeId, credential: key.toJSON() });
  if (error) throw authError(error);
}

/** Lets this device make a passkey for the signed-in person. */
export async function registerPasskey(supabase: Supabase): Promise<void> {
  const { passkey } = supabase.auth;
  const asked = await passkey.startRegistration();
  if (asked.error) throw authError(asked.error);
  const { extensions: _, ...creation } = asked.data.options;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(creation);
  const key = await navigator.credentials.create({ publicKey }).catch(refused);
  if (!isMade(key)) throw new AppError("passkey_refused");
  const challengeId = asked.data.challenge_id;
  const { error } = await passkey.verifyRegistration({ challengeId, credential: key.toJSON() });
  if (error) throw authError(error);
}
