import type { WebAuthnCredential } from "@simplewebauthn/server";
import { z } from "zod";
import { isLoopback } from "../../network/local-host.ts";
import type { AuthSettings } from "../deps.ts";
import { AuthError } from "../errors.ts";

/** The name under which devices list their keys. */
const RP_NAME = "Tournavis";

/** Standard base64, in which the hosted platform's tables hold bytes. */
const bytes = z.string().transform((text) => new Uint8Array(Buffer.from(text, "base64")));

/** A device's key as the hosted platform's tables hold it. */
const storedCredential = z.object({
  id: bytes,
  publicKey: bytes,
  transport: z.array(z.string()).nullish(),
  authenticator: z.object({ signCount: z.number() }),
});

/** A device's key as it is stored. */
export type StoredCredential = {
  id: string;
  publicKey: string;
  attestationType: "none";
  transport: string[];
  flags: {
    userPresent: true;
    userVerified: boolean;
    backupEligible: boolean;
    backupState: boolean;
  };
  authenticator: { AAGUID: string; signCount: number; cloneWarning: false };
};

const text = z.string().max(20_000);

const answered = {
  id: text,
  rawId: text,
  type: z.literal("public-key"),
};

/** What a device answers when a key is made. */
const registration = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(text).max(10).optional(),
  }),
});

/** What a device answers when a key is used. */
const assertion = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.nullish(),
  }),
});

/** The answer of a device in the body of `verify`. */
export const webauthnAnswer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("create"), credential_response: registration }),
  z.object({ type: z.literal("request"), credential_response: assertion }),
]);
export type WebauthnAnswer = z.infer<typeof webauthnAnswer>;

type SiteSettings = Pick<AuthSettings, "siteUrl" | "redirectAllowList">;

/** For which name keys are made, and on which pages they may be used. */
function siteOf({ siteUrl, redirectAllowList }: SiteSettings): { rpID: string; origins: string[] } {
  const { hostname } = new URL(siteUrl);
  // An address is no name for a key; on one's own machine « localhost » is the same place.
  const rpID = isLoopback(hostname.replace(/^\[|\]$/g, "")) ? "localhost" : hostname;
  return { rpID, origins: [siteUrl, ...redirectAllowList] };
}

/** The library takes 0.3 s of processor time to load, and most people need none of it. */
const library = () => import("@simplewebauthn/server");

/** What a device is asked when a key is made; a key that it has for this person already is not made twice. */
export async function creationOptions(
  settings: SiteSettings,
  user: { id: string; name: string },
  present: readonly unknown[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: siteOf(settings).rpID,
    userName: user.name,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    attestationType: "none",
    excludeCredentials: present.map(described),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
}

/** What a device is asked when a key is used. */
export async function requestOptions(settings: SiteSettings, credential: unknown) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: siteOf(settings).rpID,
    allowCredentials: [described(credential)],
    userVerification: "preferred",
  });
}

/** The key that a device has made; throws where the answer is not to this question. */
export async function readRegistration(
  settings: SiteSettings,
  answer: z.infer<typeof registration>,
  challenge: string,
): Promise<{ credential: StoredCredential; aaguid: string }> {
  const { verifyRegistrationResponse } = await library();
  const { rpID, origins } = siteOf(settings);
  const { clientDataJSON, attestationObject, transports } = answer.response;
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...{ id: answer.id, rawId: answer.rawId, type: answer.type, clientExtensionResults: {} },
      response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
    },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(refused);
  if (!registrationInfo) throw failed();
  const { credential, aaguid, userVerified, credentialDeviceType, credentialBackedUp } =
    registrationInfo;
  return {
    aaguid,
    credential: {
      id: Buffer.from(credential.id, "base64url").toString("base64"),
      publicKey: Buffer.from(credential.publicKey).toString("base64"),
      attestationType: "none",
      transport: credential.transports ?? [],
      flags: {
        userPresent: true,
        userVerified,
        backupEligible: credentialDeviceType === "multiDevice",
        backupState: credentialBackedUp,
      },
      authenticator: {
        AAGUID: Buffer.from(aaguid.replaceAll("-", ""), "hex").toString("base64"),
        signCount: credential.counter,
        cloneWarning: false,
      },
    },
  };
}

/**
 * The device's count after a key was used; throws where the answer is not to this question, not by this key, or the count goes
 * back, as that of a copy does.
 */
export async function readAssertion(
  settings: SiteSettings,
  answer: z.infer<typeof assertion>,
  challenge: string,
  stored: unknown,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { rpID, origins } = siteOf(settings);
  const credential = known(stored);
  const { clientDataJSON, authenticatorData, signature, userHandle } = answer.response;
  if (answer.id !== credential.id) throw failed();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...{ id: answer.id, rawId: answer.rawId, type: answer.type, clientExtensionResults: {} },
      response: {
        ...{ clientDataJSON, authenticatorData, signature },
        ...(userHandle && { userHandle }),
      },
    },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpID,
    credential,
    requireUserVerification: false,
  }).catch(refused);
  if (!verified) throw failed();
  return authenticationInfo.newCounter;
}

/** A stored key as the library takes it. */
function known(stored: unknown): WebAuthnCredential {
  const { id, publicKey, transport, authenticator } = storedCredential.parse(stored);
  return {
    ...{ id: Buffer.from(id).toString("base64url"), publicKey, counter: authenticator.signCount },
    ...(transport && { transports: transport }),
  };
}

function described(stored: unknown): { id: string; transports?: string[] } {
  const { id, transports } = known(stored);
  return { id, ...(transports && { transports }) };
}

/** The library throws for whatever does not fit. */
function refused(): never {
  throw failed();
}

/** One refusal for all that does not fit: an attacker learns nothing from it. */
export function failed(): AuthError {
  return new AuthError(422, "mfa_verification_failed", "Invalid WebAuthn credential");
}
