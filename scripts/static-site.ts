import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { z } from "zod";
import { operatorFile } from "#domain/schemas/operator.ts";
import { ensureBuilt } from "../server/build/ensure-built.ts";
import { ROOT } from "../server/root.ts";
import { writeStaticSite } from "../server/web/static-site.ts";
import { isTestKey } from "../supabase/functions/_shared/http/payments.ts";
import { parseVapidKeys } from "../supabase/functions/_shared/messages/vapid-keys.ts";

/**
 * `npm run site`: the web of a Supabase project as a folder for a static host, `dist/static`. What it has to be told
 * is in `supabase/.env`, or in the environment.
 */

/** An origin, without the slash behind it that people like to write. */
const origin = z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin);

const settings = z.object({
  SITE_URL: origin,
  PROJECT_URL: origin,
  PUBLISHABLE_KEY: z.string().min(1),
  OPERATOR: z
    .string()
    .default("{}")
    .transform((text): unknown => JSON.parse(text))
    .pipe(operatorFile),
  GOOGLE_CLIENT_ID: z.string().optional(),
  CAPTCHA_PROVIDER: z.enum(["turnstile", "hcaptcha"]).optional(),
  CAPTCHA_SITE_KEY: z.string().optional(),
  VAPID_KEYS: z.string().optional(),
  GOOGLE_PLACES_KEY: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_PRICE_BASIC_MONTHLY: z.string().default(""),
  STRIPE_PRICE_BASIC_YEARLY: z.string().default(""),
  STRIPE_PRICE_PRO_MONTHLY: z.string().default(""),
  STRIPE_PRICE_PRO_YEARLY: z.string().default(""),
});

const root = fileURLToPath(ROOT);
const file = await readFile(new URL("supabase/.env", ROOT), "utf8").catch(() => "");
const isSet = ([, value]: [string, unknown]) => value !== "";
const read = settings.safeParse(
  Object.fromEntries(Object.entries({ ...parseEnv(file), ...process.env }).filter(isSet)),
);
if (read.success) {
  const env = read.data;
  const { dist } = await ensureBuilt({ root });
  const out = join(dist, "static");
  await writeStaticSite({
    dist,
    out,
    siteUrl: env.SITE_URL,
    projectUrl: env.PROJECT_URL,
    publishableKey: env.PUBLISHABLE_KEY,
    operator: env.OPERATOR,
    google: env.GOOGLE_CLIENT_ID !== undefined,
    captcha:
      env.CAPTCHA_PROVIDER && env.CAPTCHA_SITE_KEY
        ? { provider: env.CAPTCHA_PROVIDER, siteKey: env.CAPTCHA_SITE_KEY }
        : null,
    pushKey: parseVapidKeys(env.VAPID_KEYS ?? "")?.publicKey ?? null,
    publicRating: env.GOOGLE_PLACES_KEY !== undefined,
    payments: env.STRIPE_SECRET_KEY
      ? {
          prices: {
            basic: {
              monthly: env.STRIPE_PRICE_BASIC_MONTHLY,
              yearly: env.STRIPE_PRICE_BASIC_YEARLY,
            },
            pro: { monthly: env.STRIPE_PRICE_PRO_MONTHLY, yearly: env.STRIPE_PRICE_PRO_YEARLY },
          },
          test: isTestKey(env.STRIPE_SECRET_KEY),
        }
      : null,
  });
  process.stdout.write(`${out}\n`);
} else {
  const names = new Set(read.error.issues.map(({ path }) => String(path[0])));
  process.stderr.write(`Missing or unusable in supabase/.env: ${[...names].join(", ")}.\n`);
  process.exitCode = 1;
}
