import { readSecrets } from "../../server/config/secrets.ts";
import { signToken } from "./signed-tokens.ts";

/** Headers in a signed-in person's requests. */
export type SessionHeaders = { apikey: string; authorization: string };

/**
 * Signs users of the fixtures in for an hour, at the installation of a data folder: what their requests carry, in their order. A
 * fixture gives each a session of the same identifier.
 */
export async function signInHeaders(
  users: readonly { id: string }[],
  dataFolder: string,
): Promise<SessionHeaders[]> {
  const { publishableKey } = await readSecrets(dataFolder);
  return Promise.all(
    users.map(async ({ id }) => {
      const claims = { role: "authenticated", sub: id, session_id: id };
      const token = await signToken(dataFolder, claims);
      return { apikey: publishableKey, authorization: `Bearer ${token}` };
    }),
  );
}
