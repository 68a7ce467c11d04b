import type { Sql } from "postgres";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import { type VerifierDeps, verifySession } from "../auth/tokens.ts";
import type { OpenPool } from "../postgres/connections.ts";
import { FUNCTION_TIMEOUT_MS } from "../postgres/timeouts.ts";

/** Connections of the server functions. Measured on two cores: 8 spin a third more often than 16, which only wait for each other. */
const POOL_SIZE = 8;

/** Pool of the server functions: each connection logs in as the API and at once becomes `service_role`. */
export function openServicePool(open: OpenPool, loginUrl: string): Sql {
  return open(loginUrl, {
    max: POOL_SIZE,
    prepare: true,
    connection: {
      application_name: "tournavis functions",
      role: "service_role",
      TimeZone: "UTC",
      statement_timeout: FUNCTION_TIMEOUT_MS,
    },
  });
}

/** Checks access tokens that the authentication service signed. */
export function createTokenVerifier(deps: VerifierDeps): Deps["verifyAccessToken"] {
  return async (token) => {
    const claims = verifySession(deps, token);
    if (claims === null) return null;
    const { sub, session_id, aal } = claims;
    return { userId: sub, sessionId: session_id, aal };
  };
}
