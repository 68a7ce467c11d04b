import { z } from "zod";
import { isLoopback } from "../network/local-host.ts";
import type { AuthSettings } from "./deps.ts";

/** The name under which devices list their keys. */
const RP_NAME = "Tournavis";

const text = z.string().max(20_000);

const answered = {
  id: text,
  rawId: text,
  type: z.literal("public-key"),
};

/** Answer of a device when a key is made. */
export const registration = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(text).max(10).optional(),
  }),
});

/** Answer of a device when a key is used. */
export const assertion = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.nullish(),
  }),
});

/**
 * Purpose of a credential: sign-in requires user verification (fingerprint, face, PIN), a second
 * factor prefers it.
 */
export type KeyUse = "sign_in" | "second_factor";

/** A stored credential as the library takes it. */
export type KnownKey = {
  /** Base64url. */
  id: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports?: string[];
};

/** A credential that a device has just created. */
export type MadeKey = KnownKey & {
  transports: string[];
  aaguid: string;
  isVerified: boolean;
  isBackupEligible: boolean;
  isBackedUp: boolean;
};

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

/** Sign-in without a name needs a discoverable credential. */
const SELECTION = {
  sign_in: { residentKey: "required", userVerification: "required" },
  second_factor: { residentKey: "discouraged", userVerification: "preferred" },
} as const;

/**
 * Options to create a credential; a device that has one of `present` creates no second. A device keeps one discoverable
 * credential for each user handle: the handles of the two uses differ, or one would replace the other.
 */
export async function creationOptions(
  settings: SiteSettings,
  use: KeyUse,
  owner: { handle: string; name: string },
  present: readonly KnownKey[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: siteOf(settings).rpID,
    userName: owner.name,
    userDisplayName: owner.name,
    userID: new Uint8Array(Buffer.from(owner.handle)),
    attestationType: "none",
    excludeCredentials: present.map(described),
    authenticatorSelection: SELECTION[use],
  });
}

/** Options to use a credential: one of `keys`, or without any a discoverable one of this site. */
export async function requestOptions(
  settings: SiteSettings,
  use: KeyUse,
  keys: readonly KnownKey[] = [],
) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: siteOf(settings).rpID,
    allowCredentials: keys.map(described),
    userVerification: SELECTION[use].userVerification,
  });
}

/** The credential that a device has created; null where its answer does not fit the challenge or this site. */
export async function readRegistration(
  settings: SiteSettings,
  use: KeyUse,
  answer: z.infer<typeof registration>,
  challenge: string,
): Promise<MadeKey | null> {
  const { verifyRegistrationResponse } = await library();
  const { rpID, origins } = siteOf(settings);
  const { clientDataJSON, attestationObject, transports } = answer.response;
  const read = await verifyRegistrationResponse({
    response: {
      ...{ id: answer.id, rawId: answer.rawId, type: answer.type, clientExtensionResults: {} },
      response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
    },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpID,
    requireUserVerification: use === "sign_in",
  }).catch(misfit);
  if (!read?.registrationInfo) return null;
  const { credential, aaguid, userVerified, credentialDeviceType, credentialBackedUp } =
    read.registrationInfo;
  return {
    ...{ id: credential.id, publicKey: credential.publicKey, counter: credential.counter },
    transports: credential.transports ?? [],
    aaguid,
    isVerified: userVerified,
    isBackupEligible: credentialDeviceType === "multiDevice",
    isBackedUp: credentialBackedUp,
  };
}

/**
 * State of a credential after a use. Null where the answer does not fit the challenge, this site or the key, or where
 * the signature counter goes back (a clone).
 */
export async function readAssertion(
  settings: SiteSettings,
  use: KeyUse,
  answer: z.infer<typeof assertion>,
  { challenge, key }: { challenge: string; key: KnownKey },
): Promise<{ counter: number; isBackedUp: boolean } | null> {
  const { verifyAuthenticationResponse } = await library();
  const { rpID, origins } = siteOf(settings);
  const { clientDataJSON, authenticatorData, signature, userHandle } = answer.response;
  if (answer.id !== key.id) return null;
  const read = await verifyAuthenticationResponse({
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
    credential: key,
    requireUserVerification: use === "sign_in",
  }).catch(misfit);
  if (!read?.verified) return null;
  const { newCounter, credentialBackedUp } = read.authenticationInfo;
  return { counter: newCounter, isBackedUp: credentialBackedUp };
}

function described({ id, transports }: KnownKey): { id: string; transports?: string[] } {
  return { id, ...(transports && { transports }) };
}

/** The library throws for whatever does not fit. */
function misfit(): null {
  return null;
}
