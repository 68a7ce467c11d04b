import { readKeys } from "../../server/tokens/key-ring.ts";
import { createTokens } from "../../server/tokens/tokens.ts";
import { secondsFromNow } from "./clock.ts";

/** Signs a token of an hour with the key in use of the installation in a data folder. */
export async function signToken(
  dataFolder: string,
  claims: Record<string, unknown>,
): Promise<string> {
  const keys = await readKeys(dataFolder);
  const now = () => secondsFromNow(0);
  const exp = Math.floor(secondsFromNow(3600).getTime() / 1000);
  return createTokens({ ring: { keys: () => keys }, librarySecret: "", now }).sign({
    exp,
    ...claims,
  });
}
