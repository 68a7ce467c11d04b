import { editDistance } from "#domain/text/edit-distance.ts";

/** Every setting that comes by the environment, as the README has them. */
export const SETTINGS = [
  "ANONYMOUS_SIGN_IN",
  "BACKUP_AT",
  "BACKUP_FOLDER",
  "BACKUP_KEEP_DAYS",
  "BACKUP_PASSPHRASE",
  "CAPTCHA_PROVIDER",
  "CAPTCHA_SECRET",
  "CAPTCHA_SITE_KEY",
  "CAPTCHA_URL",
  "CHROME_PATH",
  "DATABASE_POOL_URL",
  "DATABASE_URL",
  "DEMO_PASSWORD",
  "GOOGLE_CLIENT_ID",
  "GOOGLE_CLIENT_SECRET",
  "GOOGLE_ISSUER",
  "GOOGLE_PLACES_KEY",
  "GOOGLE_PLACES_URL",
  "HOST",
  "MAIL_FROM",
  "METRICS_TOKEN",
  "OPERATOR_FILE",
  "PAYMENTS",
  "PORT",
  "PUBLIC_URL",
  "SIGNING_KEYS",
  "SMS_TOKEN",
  "SMS_URL",
  "SMTP_URL",
  "STRIPE_API_URL",
  "STRIPE_PRICE_BASIC_MONTHLY",
  "STRIPE_PRICE_BASIC_YEARLY",
  "STRIPE_PRICE_PRO_MONTHLY",
  "STRIPE_PRICE_PRO_YEARLY",
  "STRIPE_SECRET_KEY",
  "STRIPE_TAX_RATE",
  "STRIPE_WEBHOOK_SECRET",
  "TOURNAVIS_DATA",
  "TRUST_PROXY",
  "VAPID_KEYS",
] as const;

/** Names that are shorter resemble those of other programs (`PORT`, `HOST`). */
const MIN_NAME_LENGTH = 7;

/** Letters that are changed, added, left out or swapped in a name that was meant to be another. */
const MAX_EDITS = 2;

/** An unknown variable, and the setting that it resembles. */
export type Misspelt = { name: string; meant: string };

/** Variables of an environment that are most likely settings with a wrong letter: nothing else would report them. */
export function misspeltSettings(env: NodeJS.ProcessEnv): Misspelt[] {
  const known: ReadonlySet<string> = new Set(SETTINGS);
  return Object.keys(env)
    .filter(
      (name) => !known.has(name) && name.length >= MIN_NAME_LENGTH && /^[A-Z][A-Z\d_]*$/.test(name),
    )
    .flatMap((name) => {
      const meant = SETTINGS.find(
        (setting) => setting.length >= MIN_NAME_LENGTH && editDistance(name, setting) <= MAX_EDITS,
      );
      return meant === undefined ? [] : [{ name, meant }];
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
