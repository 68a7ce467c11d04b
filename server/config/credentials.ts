import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { StartupError } from "../start/startup-error.ts";

/** Settings that are secrets, or hold one. */
const SECRETS = [
  "BACKUP_PASSPHRASE",
  "CAPTCHA_SECRET",
  "DATABASE_URL",
  "DEMO_PASSWORD",
  "GOOGLE_CLIENT_SECRET",
  "METRICS_TOKEN",
  "SIGNING_KEYS",
  "SMS_TOKEN",
  "SMTP_URL",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "VAPID_KEYS",
] as const;

/**
 * The environment with the secrets that systemd hands on as files of `$CREDENTIALS_DIRECTORY` (`LoadCredential=`), which
 * programs that this one starts do not inherit. A file counts where the variable of its name is empty.
 */
export function withCredentials(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = env.CREDENTIALS_DIRECTORY;
  if (!folder) return env;
  const found = { ...env };
  for (const name of SECRETS) {
    if (!env[name]) found[name] = readCredential(join(folder, name)) ?? env[name];
  }
  return found;
}

function readCredential(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new StartupError("unreadable_credential", { file }, { cause: error });
  }
}
