const LEFT_OUT = "Passkeys are left out of the application: see vite.config.ts.";

function leftOut(): never {
  throw new Error(LEFT_OUT);
}

/**
 * Stands in for the part of `@supabase/auth-js` that speaks with passkeys and security keys: the platform has
 * second factors by application and by text message. Whoever calls it is told where to bring it back.
 */
export class WebAuthnApi {
  register(): never {
    return leftOut();
  }

  authenticate(): never {
    return leftOut();
  }
}

export const webAuthnAbortService = { createNewAbortSignal: leftOut, cancelCeremony: leftOut };
export const browserSupportsWebAuthn = (): boolean => false;
export const createCredential = leftOut;
export const getCredential = leftOut;
export const deserializeCredentialCreationOptions = leftOut;
export const deserializeCredentialRequestOptions = leftOut;
export const serializeCredentialCreationResponse = leftOut;
export const serializeCredentialRequestResponse = leftOut;
