import type { MFAVerifyWebauthnParams } from "@supabase/auth-js";

/**
 * Replacement for the part of `@supabase/auth-js` that speaks with passkeys: what it does by hand, browsers do, and what asks
 * a person is `web/lib/auth/passkey.ts`, which loads with the screens that need it.
 */
export class WebAuthnApi {}

type Key = MFAVerifyWebauthnParams["webauthn"]["credential_response"];
const asJson = (key: Key) => key.toJSON();

export const deserializeCredentialCreationOptions = (
  options: PublicKeyCredentialCreationOptionsJSON,
) => PublicKeyCredential.parseCreationOptionsFromJSON(options);
export const deserializeCredentialRequestOptions = (
  options: PublicKeyCredentialRequestOptionsJSON,
) => PublicKeyCredential.parseRequestOptionsFromJSON(options);
export const serializeCredentialCreationResponse = asJson;
export const serializeCredentialRequestResponse = asJson;

/** Used by the client's own way to sign in with a passkey, which is not ours. */
export const browserSupportsWebAuthn = (): boolean => false;
export {
  asJson as createCredential,
  asJson as getCredential,
  browserSupportsWebAuthn as webAuthnAbortService,
};
