import { DATABASE_RETRY_S } from "../../supabase/functions/_shared/http/database-away.ts";
import { refuse } from "../../supabase/functions/_shared/http/respond.ts";
import { databaseUnavailable } from "../auth/errors.ts";
import { NO_DATABASE, refusalResponse } from "../supabase-lite/refusals.ts";

const RETRY = { "retry-after": String(DATABASE_RETRY_S), "cache-control": "no-store" };

/**
 * Answer of an address while the database is away: 503 in the form of the service that the address
 * belongs to.
 */
export function unavailable(path: string, headers: Headers): Response {
  if (path.startsWith("/functions/v1/")) {
    return refuse("service_unavailable", { retryAfter: DATABASE_RETRY_S });
  }
  if (path.startsWith("/rest/v1/")) return withRetry(refusalResponse(503, NO_DATABASE));
  if (path.startsWith("/auth/v1/")) return withRetry(databaseUnavailable(headers));
  if (path.startsWith("/storage/v1/")) {
    const body = { statusCode: "503", error: "DatabaseError", message: "Database unavailable" };
    return withRetry(Response.json(body, { status: 503 }));
  }
  const body = { code: "service_unavailable", message: "Database unavailable" };
  return withRetry(Response.json(body, { status: 503 }));
}

/** Says when to come again, to pages of other sites as well. */
function withRetry(response: Response): Response {
  for (const [name, value] of Object.entries(RETRY)) response.headers.set(name, value);
  response.headers.set("access-control-allow-origin", "*");
  response.headers.set("access-control-expose-headers", "retry-after, x-request-id");
  return response;
}
