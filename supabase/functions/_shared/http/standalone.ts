import { Buffer } from "node:buffer";
import process from "node:process";
import postgres, { type Sql } from "postgres";
import * as z from "zod/mini";
import { operatorJson, unknownOperator } from "../domain/schemas/operator.ts";
import { addressGroup } from "./address-group.ts";
import { signApiToken } from "./api-token.ts";
import type { Deps, Handler, Logos } from "./deps.ts";
import { createFileStore } from "./file-store.ts";
import { createGooglePlaces, GOOGLE_PLACES } from "./google-places.ts";
import { createKeyedHash } from "./keyed-hash.ts";
import type { Payments } from "./payments.ts";

/** Timeout of the project's own authentication. */
const TIMEOUT_MS = 10_000;

/**
 * Environment that a function reads on a Supabase project (the first four are set by the platform).
 */
const environment = z.object({
  SUPABASE_URL: z.url(),
  SUPABASE_ANON_KEY: z.string(),
  /** For the storage of logos. */
  SUPABASE_SERVICE_ROLE_KEY: z.optional(z.string()),
  SUPABASE_DB_URL: z.string(),
  /** Key of the hashes of addresses and devices: a secret of the project, at least 32 characters. */
  HASH_KEY: z.string().check(z.minLength(32)),
  /** The project's JWT secret (HS256), for keys of the API; without it they are not exchanged. */
  API_JWT_SECRET: z.optional(z.string().check(z.minLength(32))),
  /** Address of the site, to whose pages functions lead. */
  SITE_URL: z.optional(z.url()),
  /** Operator of the service: the contact form writes to their address. */
  OPERATOR: z._default(operatorJson, unknownOperator),
  /** Key of Google's Places API, where public ratings are to be shown. */
  GOOGLE_PLACES_KEY: z.optional(z.string()),
  GOOGLE_PLACES_URL: z._default(z.url(), GOOGLE_PLACES),
});

/** Claims of a token about its session. */
const sessionClaims = z.object({
  session_id: z.guid(),
  aal: z._default(z.string(), "aal1"),
});

let shared: Deps | undefined;

/** Parts that few functions need. Each is packed with those alone: every start reads what is packed. */
type Parts = {
  encodeLogo?: Logos["encode"];
  readPayments?(variables: Record<string, string | undefined>, sql: Sql): Payments | null;
};

/** Serves a handler on a Supabase project, where the platform is reached over its own HTTP API. */
export function standalone(
  handler: Handler,
  parts: Parts = {},
): (request: Request) => Promise<Response> {
  return (request) => {
    shared ??= createDeps(parts);
    return handler(request, shared);
  };
}

function createDeps({ encodeLogo, readPayments }: Parts): Deps {
  const env = environment.parse(process.env);
  // Usually one is opened, since the platform starts as many instances as it needs. Both exports that may run hold one, and ask
  // for their right on a third.
  const sql = postgres(env.SUPABASE_DB_URL, {
    max: 3,
    prepare: false,
    connection: { role: "service_role", TimeZone: "UTC" },
  });
  return {
    sql,
    now: () => new Date(),
    verifyAccessToken: async (token) => {
      const response = await fetch(new URL("/auth/v1/user", env.SUPABASE_URL), {
        headers: { apikey: env.SUPABASE_ANON_KEY, authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) return null;
      const user = z.object({ id: z.guid() }).safeParse(await response.json());
      const claims = claimsOf(token);
      if (!user.success || claims === null) return null;
      return { userId: user.data.id, sessionId: claims.session_id, aal: claims.aal };
    },
    keyedHash: createKeyedHash(env.HASH_KEY),
    signApiToken: apiTokenSigner(env.API_JWT_SECRET),
    payments: readPayments?.(process.env, sql) ?? null,
    logos:
      env.SUPABASE_SERVICE_ROLE_KEY && encodeLogo
        ? {
            files: createFileStore(env.SUPABASE_URL, env.SUPABASE_SERVICE_ROLE_KEY),
            encode: encodeLogo,
          }
        : null,
    siteUrl: env.SITE_URL && new URL(env.SITE_URL).origin,
    contactAddress: env.OPERATOR.contact_email,
    ratingSource: env.GOOGLE_PLACES_KEY
      ? createGooglePlaces({ key: env.GOOGLE_PLACES_KEY, url: env.GOOGLE_PLACES_URL })
      : null,
    // The platform's own proxy writes the first entry.
    clientAddress: (request) =>
      addressGroup(request.headers.get("x-forwarded-for")?.split(",")[0]?.trim() ?? "unknown"),
    log: writeLine,
  };
}

/** Lines of the log are those of the console: the platform's functions have a standard output that nobody reads. */
const writeLine: Deps["log"] = (entry) => {
  const line = JSON.stringify(entry);
  // biome-ignore lint/suspicious/noConsole: see above.
  if (entry.level === "error") console.error(line);
  // biome-ignore lint/suspicious/noConsole: see above.
  else console.log(line);
};

function apiTokenSigner(secret: string | undefined): Deps["signApiToken"] {
  if (secret === undefined) return null;
  return (keyId, seconds) => signApiToken(secret, keyId, { now: new Date(), seconds });
}

/** Reads a token that the platform has just vouched for. */
function claimsOf(token: string): z.infer<typeof sessionClaims> | null {
  const [, payload = ""] = token.split(".");
  try {
    const json: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const claims = sessionClaims.safeParse(json);
    return claims.success ? claims.data : null;
  } catch {
    return null;
  }
}
