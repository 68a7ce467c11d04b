function leftOut(): never {
  throw new Error("Wallets are left out of the application: see vite.config.ts.");
}

/** Replacement for the part of `@supabase/auth-js` that signs in with crypto wallets, which is not offered. */
export const createSiweMessage = leftOut;
export const fromHex = leftOut;
export const getAddress = leftOut;
export const toHex = leftOut;
