import * as z from "zod/mini";

/**
 * Claims that the application reads in an access token; the platform judges whether it is genuine.
 */
const claims = z.object({
  /** How sure the platform is of the person: `aal2` once a second factor was given. */
  aal: z.optional(z.nullable(z.string())),
  session_id: z.optional(z.string()),
});

/** The claims of an access token; empty where it cannot be read. */
export function readAccessToken(token: string): z.infer<typeof claims> {
  try {
    const [, payload = ""] = token.split(".");
    const bytes = Uint8Array.from(
      atob(payload.replaceAll("-", "+").replaceAll("_", "/")),
      (character) => character.charCodeAt(0),
    );
    return claims.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
