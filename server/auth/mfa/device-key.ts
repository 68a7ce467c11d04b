import { z } from "zod";
import { AuthError } from "../errors.ts";
import { assertion, type KnownKey, type MadeKey, registration } from "../webauthn.ts";

/** Standard base64, in which the hosted platform's tables hold bytes. */
const bytes = z.string().transform((text) => new Uint8Array(Buffer.from(text, "base64")));

/** A device's key as the hosted platform's tables hold it. */
const storedCredential = z.object({
  id: bytes,
  publicKey: bytes,
  transport: z.array(z.string()).nullish(),
  authenticator: z.object({ signCount: z.number() }),
});

/** The answer of a device in the body of `verify`. */
export const webauthnAnswer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("create"), credential_response: registration }),
  z.object({ type: z.literal("request"), credential_response: assertion }),
]);
export type WebauthnAnswer = z.infer<typeof webauthnAnswer>;

/** A factor's key as it is stored. */
export function storedKey(key: MadeKey) {
  return {
    id: Buffer.from(key.id, "base64url").toString("base64"),
    publicKey: Buffer.from(key.publicKey).toString("base64"),
    attestationType: "none",
    transport: key.transports,
    flags: {
      userPresent: true,
      userVerified: key.isVerified,
      backupEligible: key.isBackupEligible,
      backupState: key.isBackedUp,
    },
    authenticator: {
      AAGUID: Buffer.from(key.aaguid.replaceAll("-", ""), "hex").toString("base64"),
      signCount: key.counter,
      cloneWarning: false,
    },
  };
}

/** A stored key of a factor. */
export function knownKey(stored: unknown): KnownKey {
  const { id, publicKey, transport, authenticator } = storedCredential.parse(stored);
  return {
    ...{ id: Buffer.from(id).toString("base64url"), publicKey, counter: authenticator.signCount },
    ...(transport && { transports: transport }),
  };
}

/** One refusal for all that does not fit: an attacker learns nothing from it. */
export function failed(): AuthError {
  return new AuthError(422, "mfa_verification_failed", "Invalid WebAuthn credential");
}
