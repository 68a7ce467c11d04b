import type { MFAVerifyWebauthnParams } from "@supabase/auth-js";
import { AppError, authError } from "../app-error.ts";
import type { Supabase } from "../supabase.ts";
import { knowsPasskeys } from "./knows-passkeys.ts";

type MadeKey = MFAVerifyWebauthnParams<"create">["webauthn"]["credential_response"];
type UsedKey = MFAVerifyWebauthnParams<"request">["webauthn"]["credential_response"];

/** Lets this device make its key, and makes it a second factor. */
export async function addPasskey(supabase: Supabase, name: string): Promise<void> {
  const { mfa } = supabase.auth;
  const enrolled = await mfa.enroll({ factorType: "webauthn", friendlyName: name });
  if (enrolled.error) throw authError(enrolled.error);
  await answer(supabase, enrolled.data.id);
}

/** Gives a second factor by the key of a device. */
export async function givePasskey(supabase: Supabase, factorId: string): Promise<void> {
  if (!knowsPasskeys()) throw new AppError("passkeys_unknown");
  await answer(supabase, factorId);
}

async function answer(supabase: Supabase, factorId: string): Promise<void> {
  const { mfa } = supabase.auth;
  const { hostname, origin } = window.location;
  const site = { rpId: hostname, rpOrigins: [origin] };
  const asked = await mfa.challenge({ factorId, webauthn: site });
  if (asked.error) throw authError(asked.error);
  const { id: challengeId, webauthn } = asked.data;
  const given = { factorId, challengeId };
  const { error } =
    webauthn.type === "create"
      ? await mfa.verify({
          ...given,
          webauthn: { ...site, type: "create", credential_response: await make(webauthn) },
        })
      : await mfa.verify({
          ...given,
          webauthn: { ...site, type: "request", credential_response: await use(webauthn) },
        });
  if (error) throw authError(error);
}

/** How a device is reached, in the words that browsers know. */
const TRANSPORTS = ["ble", "hybrid", "internal", "nfc", "usb"] as const;

type Described = { id: BufferSource; type: "public-key"; transports?: string[] };

/** The same keys, without ways to reach them that only some browsers have heard of. */
const plain = (keys: readonly Described[] = []) =>
  keys.map(({ id, type, transports = [] }) => ({
    id,
    type,
    transports: TRANSPORTS.filter((way) => transports.includes(way)),
  }));

type Question<Options, List extends keyof Options> = {
  credential_options: { publicKey: Omit<Options, List> & { [name in List]?: Described[] } };
};

async function make({
  credential_options: { publicKey },
}: Question<PublicKeyCredentialCreationOptions, "excludeCredentials">): Promise<MadeKey> {
  const excludeCredentials = plain(publicKey.excludeCredentials);
  const options = { publicKey: { ...publicKey, excludeCredentials } };
  const key = await navigator.credentials.create(options).catch(refused);
  if (isMade(key)) return key;
  throw new AppError("passkey_refused");
}

async function use({
  credential_options: { publicKey },
}: Question<PublicKeyCredentialRequestOptions, "allowCredentials">): Promise<UsedKey> {
  const options = {
    publicKey: { ...publicKey, allowCredentials: plain(publicKey.allowCredentials) },
  };
  const key = await navigator.credentials.get(options).catch(refused);
  if (isUsed(key)) return key;
  throw new AppError("passkey_refused");
}

/** Whether a device has made a key. */
export const isMade = (key: Credential | null): key is MadeKey =>
  key instanceof PublicKeyCredential && key.response instanceof AuthenticatorAttestationResponse;

/** Whether a device has used a key. */
export const isUsed = (key: Credential | null): key is UsedKey =>
  key instanceof PublicKeyCredential && key.response instanceof AuthenticatorAssertionResponse;

/** The user or the device refused, or did not answer in time. */
export function refused(error: unknown): never {
  const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
  throw new AppError(isKnown ? "passkey_known" : "passkey_refused", { cause: error });
}
