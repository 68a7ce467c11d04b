function leftOut(): never {
  throw new Error("Wallets are left out of the application: see vite.config.ts.");
}

/** Stand in for the part of `@supabase/auth-js` that signs in with a wallet of coins: nobody does so here. */
export const createSiweMessage = leftOut;
export const fromHex = leftOut;
export const getAddress = leftOut;
export const toHex = leftOut;
