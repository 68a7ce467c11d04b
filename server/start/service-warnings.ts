import { missingEntries } from "#domain/schemas/operator.ts";
import type { Config } from "../config/config.ts";
import type { LogLine } from "../log.ts";

/** Names in the log for what browsers keep to pages that came by HTTPS. */
const ONLY_BY_HTTPS = "camera passkeys push offline_wins";

/** Lines of the log about the configuration of a real service: it works, but not as its operator would want. */
export function serviceWarnings({
  publicUrl,
  operator,
  databaseUrl,
  backup,
}: Pick<Config, "publicUrl" | "operator" | "databaseUrl" | "backup">): LogLine[] {
  const lines: LogLine[] = [];
  // Passwords then cross the network in the clear as well.
  if (publicUrl?.startsWith("http:")) {
    lines.push({ event: "public_url_without_https", refused_by_browsers: ONLY_BY_HTTPS });
  }
  const missing = missingEntries(operator);
  if (missing.length > 0) lines.push({ event: "operator_incomplete", missing: missing.join(" ") });
  // Secrets of the daily backups then open with a file of this disk alone, which a backup is there to survive.
  if (databaseUrl === null && backup.at !== null && backup.passphrase === null) {
    lines.push({ event: "backup_passphrase_here_alone" });
  }
  return lines;
}
