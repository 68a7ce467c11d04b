import { z } from "zod";
import { GOOGLE_PLACES } from "../../supabase/functions/_shared/http/google-places.ts";
import {
  parseVapidKeys,
  type VapidKeys,
} from "../../supabase/functions/_shared/messages/vapid-keys.ts";
import { StartupError, type StartupErrorCode } from "../start/startup-error.ts";

/** Third-party services for accounts, each absent until it is configured. */
export type ServicesConfig = {
  /** Where mails go; null: they are kept in the mailbox of the local mode. */
  mail: { smtpUrl: string; from: string } | null;
  /** Where text messages go (POST of `{to, body}` with a bearer token); null: kept in the same mailbox. */
  sms: { url: string; token: string } | null;
  /** Client registration for the sign-in with Google; null: the button is not shown. */
  google: { clientId: string; clientSecret: string; issuer: string } | null;
  /** Provider that checks captcha tokens at `url`; null: tokens are accepted unseen. */
  captcha: {
    provider: "turnstile" | "hcaptcha";
    siteKey: string;
    secret: string;
    url: string;
  } | null;
  /** The pair by which push services know us, where the environment gives it; null: that of the data folder. */
  vapidKeys: VapidKeys | null;
  /** Key of Google's Places API, for the rating on stores' public pages; null: merchants type it in. */
  places: { key: string; url: string } | null;
  /** Whether visitors may get a session without an account. */
  allowsAnonymous: boolean;
};

const GOOGLE = "https://accounts.google.com";

const CAPTCHA_URLS = {
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  hcaptcha: "https://api.hcaptcha.com/siteverify",
} as const;

const smtpUrl = z
  .url({ protocol: /^smtps?$/, abort: true })
  .refine((text) => new URL(text).hostname !== "");

/** An address, or a name and an address in angle brackets; nothing that could start another header. */
const mailFrom = z
  .string()
  .max(200)
  .regex(/^(?:[^\s<>@",;]+@[^\s<>@",;]+|[^<>",;\p{Cc}]+ <[^\s<>@",;]+@[^\s<>@",;]+>)$/u);

const httpUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((text) => new URL(text).username === "" && new URL(text).password === "");

const issuer = httpUrl.transform((text) => text.replace(/\/$/, ""));

const token = z.string().regex(/^[\x21-\x7e]+$/);

const vapidKeys = z.string().transform((text, context): VapidKeys => {
  const keys = parseVapidKeys(text);
  if (keys) return keys;
  context.addIssue({ code: "custom", message: "keys" });
  return z.NEVER;
});

/** Reads one variable: null when it is not set, a refusal with this code when it cannot be used. */
export type Read = <Output>(
  name: string,
  schema: z.ZodType<Output, string>,
  code: StartupErrorCode,
) => Output | null;

/**
 * Reads the settings of these services from flags and environment; refuses a group that is given in
 * part.
 */
export function readServices(read: Read, isProduction: boolean): ServicesConfig {
  const mail = readMail(read);
  if (isProduction && mail === null) throw new StartupError("mail_missing");
  return {
    mail,
    sms: readSms(read),
    google: readGoogle(read),
    captcha: readCaptcha(read),
    vapidKeys: read("VAPID_KEYS", vapidKeys, "invalid_vapid_keys"),
    places: readPlaces(read),
    allowsAnonymous:
      read("ANONYMOUS_SIGN_IN", z.enum(["0", "1"]), "invalid_anonymous_sign_in") === "1",
  };
}

function readMail(read: Read): ServicesConfig["mail"] {
  const url = read("SMTP_URL", smtpUrl, "invalid_smtp_url");
  const from = read("MAIL_FROM", mailFrom, "invalid_mail_from");
  if (url === null && from === null) return null;
  if (url === null || from === null) throw new StartupError("mail_incomplete");
  return { smtpUrl: url, from };
}

function readSms(read: Read): ServicesConfig["sms"] {
  const url = read("SMS_URL", httpUrl, "invalid_sms_url");
  const bearer = read("SMS_TOKEN", token, "invalid_sms_token");
  if (url === null && bearer === null) return null;
  if (url === null || bearer === null) throw new StartupError("sms_incomplete");
  return { url, token: bearer };
}

function readGoogle(read: Read): ServicesConfig["google"] {
  const clientId = read("GOOGLE_CLIENT_ID", token, "invalid_google");
  const clientSecret = read("GOOGLE_CLIENT_SECRET", token, "invalid_google");
  const given = read("GOOGLE_ISSUER", issuer, "invalid_google_issuer");
  if (clientId === null && clientSecret === null && given === null) return null;
  if (clientId === null || clientSecret === null) throw new StartupError("google_incomplete");
  return { clientId, clientSecret, issuer: given ?? GOOGLE };
}

function readPlaces(read: Read): ServicesConfig["places"] {
  const key = read("GOOGLE_PLACES_KEY", token, "invalid_places_key");
  const url = read("GOOGLE_PLACES_URL", issuer, "invalid_places_url");
  if (key !== null) return { key, url: url ?? GOOGLE_PLACES };
  if (url !== null) throw new StartupError("places_incomplete");
  return null;
}

function readCaptcha(read: Read): ServicesConfig["captcha"] {
  const provider = read(
    "CAPTCHA_PROVIDER",
    z.enum(["turnstile", "hcaptcha"]),
    "invalid_captcha_provider",
  );
  const siteKey = read("CAPTCHA_SITE_KEY", token, "invalid_captcha_key");
  const secret = read("CAPTCHA_SECRET", token, "invalid_captcha_key");
  const url = read("CAPTCHA_URL", httpUrl, "invalid_captcha_url");
  if ([provider, siteKey, secret, url].every((value) => value === null)) return null;
  if (provider === null || siteKey === null || secret === null) {
    throw new StartupError("captcha_incomplete");
  }
  return { provider, siteKey, secret, url: url ?? CAPTCHA_URLS[provider] };
}
