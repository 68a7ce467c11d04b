import { AuthError } from "../errors.ts";

/** `grant_type=web3`: answered as by a hosted project that has not switched wallets on. */
export async function grantWeb3(): Promise<never> {
  throw new AuthError(422, "web3_provider_disabled", "Web3 provider is disabled");
}
