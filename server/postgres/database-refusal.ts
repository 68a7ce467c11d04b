import { isDiskFull } from "../../supabase/functions/_shared/http/database-away.ts";
import { StartupError } from "../start/startup-error.ts";

const REFUSED = ["28000", "28P01"];
const UNREACHABLE = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
  "ETIMEDOUT",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "57P03",
  "53300",
];

/** Turns what a connection or a statement of the setup throws into a refusal to start, by its code. */
export function databaseRefusal(error: unknown, databaseUrl: string): unknown {
  if (error instanceof StartupError || !(error instanceof Error) || !("code" in error))
    return error;
  const code = String(error.code);
  const options = { cause: error };
  if (REFUSED.includes(code)) return new StartupError("database_refused", {}, options);
  if (code === "3D000") {
    const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
    return new StartupError("database_missing", { database }, options);
  }
  if (code === "42501") {
    // PostgreSQL's own words name the forbidden object of the schema, and no person.
    return new StartupError("database_rights", { reason: error.message }, options);
  }
  if (isDiskFull(error)) return new StartupError("database_disk_full", {}, options);
  if (UNREACHABLE.includes(code)) {
    return new StartupError("database_unreachable", { reason: code }, options);
  }
  return error;
}
