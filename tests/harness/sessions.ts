import { SignJWT } from "jose";
import { readSecrets } from "../../server/config/secrets.ts";

/** What a signed-in person's requests carry. */
export type SessionHeaders = { apikey: string; authorization: string };

/**
 * Signs users of the fixtures in for an hour, at the installation of a data folder: what their requests carry, in their order. A
 * fixture gives each a session of the same identifier.
 */
export async function signInHeaders(
  users: readonly { id: string }[],
  dataFolder: string,
): Promise<SessionHeaders[]> {
  const { jwtSecret, publishableKey } = await readSecrets(dataFolder);
  const key = new TextEncoder().encode(jwtSecret);
  return Promise.all(
    users.map(async ({ id }) => {
      const token = await new SignJWT({ role: "authenticated", sub: id, session_id: id })
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime("1h")
        .sign(key);
      return { apikey: publishableKey, authorization: `Bearer ${token}` };
    }),
  );
}
