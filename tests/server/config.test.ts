import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { missingEntries, unknownOperator } from "#domain/schemas/operator.ts";
import { readCommand, readConfig } from "../../server/config/config.ts";
import { withCredentials } from "../../server/config/credentials.ts";
import { serviceWarnings } from "../../server/start/service-warnings.ts";

const read = (env: NodeJS.ProcessEnv = {}, argv: string[] = []) =>
  readConfig({ env, argv, cwd: "/srv/tournavis" });

/** Settings that a real service needs for its mails, and to take no payments. */
const MAIL = {
  PAYMENTS: "off",
  SMTP_URL: "smtps://compte:secret@courrier.exemple.fr:465",
  MAIL_FROM: "a@exemple.fr",
};
const GOOGLE = { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret" };
const CAPTCHA = {
  CAPTCHA_PROVIDER: "turnstile",
  CAPTCHA_SITE_KEY: "site",
  CAPTCHA_SECRET: "secret",
};

const STRIPE = {
  STRIPE_SECRET_KEY: "sk_test_cle",
  STRIPE_WEBHOOK_SECRET: "whsec_cle",
  STRIPE_PRICE_BASIC_MONTHLY: "price_a12",
  STRIPE_PRICE_BASIC_YEARLY: "price_b12",
  STRIPE_PRICE_PRO_MONTHLY: "price_c12",
  STRIPE_PRICE_PRO_YEARLY: "price_d12",
  STRIPE_TAX_RATE: "txr_vingt",
};

/** Code of the refusal that a configuration meets, or null. */
function refusal(env: NodeJS.ProcessEnv, argv: string[] = []): string | null {
  try {
    read(env, argv);
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

const POOLED = { DATABASE_URL: "postgres://a:b@base:5432/avis" };

describe("secrets", () => {
  /** A folder as systemd makes it for a service. */
  const folderWith = (files: Record<string, string>) => {
    const folder = mkdtempSync(join(tmpdir(), "tournavis-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };

  it("come as files of systemd, where the environment has none", () => {
    const folder = folderWith({
      SMTP_URL: `${MAIL.SMTP_URL}\n`,
      METRICS_TOKEN: "un jeton des fichiers",
      DEMO_PASSWORD: "mot-de-passe-des-fichiers",
      PORT: "1",
    });
    const env = {
      CREDENTIALS_DIRECTORY: folder,
      MAIL_FROM: MAIL.MAIL_FROM,
      METRICS_TOKEN: "",
      DEMO_PASSWORD: "mot-de-passe-des-variables",
    };
    expect(read(withCredentials(env))).toMatchObject({
      mail: { smtpUrl: MAIL.SMTP_URL, from: MAIL.MAIL_FROM },
      metricsToken: "un jeton des fichiers",
      demoPassword: "mot-de-passe-des-variables",
      // No secret: a file of that name says nothing.
      port: 3000,
    });
    expect(env).not.toHaveProperty("SMTP_URL");
  });

  it("that cannot be read end the start", () => {
    const folder = folderWith({});
    mkdirSync(join(folder, "SMTP_URL"));
    expect(() => withCredentials({ CREDENTIALS_DIRECTORY: folder })).toThrow(
      expect.objectContaining({ code: "unreadable_credential" }),
    );
  });
});

describe("readConfig", () => {
  it("needs nothing", () => {
    expect(read()).toEqual({
      port: 3000,
      host: "127.0.0.1",
      signingKeys: null,
      publicUrl: null,
      isProduction: false,
      dataFolder: "/srv/tournavis/data",
      databaseUrl: null,
      poolUrl: null,
      backup: { at: 210, keepDays: 14, folder: null, passphrase: null },
      trustProxy: { kind: "none" },
      demoPassword: null,
      wantsDemo: true,
      lan: false,
      metricsToken: null,
      operator: unknownOperator,
      claims: "examples",
      payments: { kind: "sandbox" },
      mail: null,
      sms: null,
      google: null,
      captcha: null,
      places: null,
      vapidKeys: null,
      allowsAnonymous: false,
    });
  });

  it("takes an empty variable for one that is not set", () => {
    const empty = { PORT: "", HOST: " ", PUBLIC_URL: "", TOURNAVIS_DATA: "", DATABASE_URL: "" };
    expect(read(empty)).toEqual(read());
  });

  it("takes a data folder from where it was started", () => {
    expect(read({ TOURNAVIS_DATA: "ailleurs" }).dataFolder).toBe("/srv/tournavis/ailleurs");
    expect(read({ TOURNAVIS_DATA: "/var/data" }).dataFolder).toBe("/var/data");
  });

  it("opens to the network with --lan, but not against HOST", () => {
    expect(read({}, ["--lan"])).toMatchObject({ host: "0.0.0.0", lan: true });
    expect(read({ HOST: "192.168.1.4" }, ["--lan"]).host).toBe("192.168.1.4");
  });

  it("leaves the demo out with --no-demo", () => {
    expect(read({}, ["--no-demo"]).wantsDemo).toBe(false);
  });

  it.each([
    ["https://avis.exemple.fr", true],
    ["https://avis.exemple.fr/", true],
    ["http://203.0.113.7:8080", true],
    ["http://localhost:3000", false],
    ["http://caisse.local", false],
    ["http://192.168.1.20:3000", false],
    ["http://10.1.2.3", false],
    ["http://172.16.0.1", false],
    ["http://172.32.0.1", true],
    ["http://[::1]:3000", false],
    ["http://[2001:db8::1]", true],
  ])("PUBLIC_URL %s: production %s", (url, isProduction) => {
    const config = read({ PUBLIC_URL: url, ...MAIL });
    expect(config.isProduction).toBe(isProduction);
    expect(config.publicUrl).toBe(url.replace(/\/$/, ""));
  });

  it.each([
    [{ PORT: "0" }, null],
    [{ PORT: "65535" }, null],
    [{ PORT: "65536" }, "invalid_port"],
    [{ PORT: "-1" }, "invalid_port"],
    [{ PORT: "80a" }, "invalid_port"],
    [{ PORT: "3.5" }, "invalid_port"],
    [{ HOST: "::1" }, null],
    [{ HOST: "caisse.exemple" }, null],
    [{ HOST: "http://caisse" }, "invalid_host"],
    [{ HOST: "a b" }, "invalid_host"],
    [{ PUBLIC_URL: "avis.exemple.fr" }, "invalid_public_url"],
    [{ PUBLIC_URL: "ftp://avis.exemple.fr" }, "invalid_public_url"],
    [{ PUBLIC_URL: "https://avis.exemple.fr/app" }, "invalid_public_url"],
    [{ PUBLIC_URL: "https://avis.exemple.fr/?a=1" }, "invalid_public_url"],
    [{ PUBLIC_URL: "https://moi:secret@avis.exemple.fr" }, "invalid_public_url"],
    [{ DATABASE_URL: "postgres://a:b@base:5432/avis" }, null],
    [{ DATABASE_URL: "postgresql://a@base/avis?sslmode=require" }, null],
    [{ DATABASE_URL: "mysql://a:b@base/avis" }, "invalid_database_url"],
    [{ DATABASE_URL: "base de données" }, "invalid_database_url"],
    [{ DATABASE_URL: "postgres:///avis" }, "invalid_database_url"],
    [{ DATABASE_URL: "postgres://a:b@[::1]:5432,base-2,base-3:5433/avis?sslmode=require" }, null],
    [{ DATABASE_URL: "postgres:///avis?host=base-1,base-2&port=5432,5433" }, null],
    [{ DATABASE_URL: "postgres://a@b1,b2/avis?target_session_attrs=read-write" }, null],
    [
      { DATABASE_URL: "postgres://a@b1,b2/avis?target_session_attrs=standby" },
      "invalid_database_url",
    ],
    [{ DATABASE_URL: "postgres://a@b1,,b2/avis" }, "invalid_database_url"],
    [{ DATABASE_URL: "postgres://a@b1,b2:port/avis" }, "invalid_database_url"],
    [{ DATABASE_URL: "postgres:///avis?host=b1,b2&port=1,2,3" }, "invalid_database_url"],
    [{ DATABASE_URL: "postgres:///avis?host=/var/run/postgresql" }, "invalid_database_url"],
    [{ ...POOLED, DATABASE_POOL_URL: "postgres://bassin:6432/avis" }, null],
    [{ ...POOLED, DATABASE_POOL_URL: "postgres://a:b@bassin:6432/avis" }, "invalid_pool_url"],
    [{ ...POOLED, DATABASE_POOL_URL: "postgres://b1:6432,b2:6432/avis" }, "invalid_pool_url"],
    [{ DATABASE_POOL_URL: "postgres://bassin:6432/avis" }, "pool_without_database"],
    [{ TRUST_PROXY: "0" }, null],
    [{ TRUST_PROXY: "2" }, null],
    [{ TRUST_PROXY: "10.0.0.0/8, 2001:db8::/32,192.0.2.1" }, null],
    [{ TRUST_PROXY: "yes" }, "invalid_trust_proxy"],
    [{ TRUST_PROXY: "10.0.0.0/33" }, "invalid_trust_proxy"],
    [{ TRUST_PROXY: "10.0.0.0/8/8" }, "invalid_trust_proxy"],
    [{ TRUST_PROXY: "-1" }, "invalid_trust_proxy"],
    [{ DEMO_PASSWORD: "12345678" }, null],
    [{ DEMO_PASSWORD: "1234567" }, "invalid_demo_password"],
    [{ METRICS_TOKEN: "court" }, "invalid_metrics_token"],
    [STRIPE, null],
    [{ ...STRIPE, STRIPE_PRICE_PRO_YEARLY: "" }, "payments_incomplete"],
    [{ STRIPE_SECRET_KEY: STRIPE.STRIPE_SECRET_KEY }, "payments_incomplete"],
    [{ ...STRIPE, STRIPE_SECRET_KEY: "pk_publique" }, "invalid_stripe_key"],
    [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: "secret" }, "invalid_stripe_webhook"],
    [{ ...STRIPE, STRIPE_PRICE_BASIC_MONTHLY: "49" }, "invalid_stripe_price"],
    [{ ...STRIPE, STRIPE_TAX_RATE: "20" }, "invalid_stripe_tax"],
    [{ ...STRIPE, STRIPE_API_URL: "https://api.exemple.fr/v1" }, "invalid_stripe_url"],
    [{ ...STRIPE, PAYMENTS: "off" }, "payments_off_with_key"],
    [{ PAYMENTS: "on" }, "invalid_payments"],
    [{ OPERATOR_FILE: "nulle-part.json" }, "operator_file_missing"],
  ])("%o: %s", (env, code) => {
    expect(refusal(env)).toBe(code);
  });

  it("reads who runs the service from a file, and says what is missing there", () => {
    const folder = mkdtempSync(join(tmpdir(), "tournavis-operator-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "exploitant.json");
    const write = (content: string) => writeFileSync(file, content);
    write('{ "company": "Roue SAS", "dpo_email": "dpo@exemple.fr" }');
    const { operator } = read({ OPERATOR_FILE: file });
    expect(operator).toEqual({
      ...unknownOperator,
      company: "Roue SAS",
      dpo_email: "dpo@exemple.fr",
    });
    expect(missingEntries(operator)).toEqual([
      "address",
      "registration",
      "director",
      "host",
      "contact_email",
    ]);
    for (const wrong of ["{", '{ "company": "" }', '{ "demo_url": "javascript:alert(1)" }']) {
      write(wrong);
      expect(refusal({ OPERATOR_FILE: file })).toBe("invalid_operator_file");
    }
  });

  it("shows claims on somebody's own machine, and elsewhere what the operator confirms", () => {
    const folder = mkdtempSync(join(tmpdir(), "tournavis-claims-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const OPERATOR_FILE = join(folder, "exploitant.json");
    const shown = (content: object | null) => {
      if (content) writeFileSync(OPERATOR_FILE, JSON.stringify(content));
      const env = content ? { OPERATOR_FILE } : {};
      const production = { ...MAIL, PAYMENTS: "off", PUBLIC_URL: "https://avis.exemple.fr" };
      return [read(env).claims, read({ ...env, ...production }).claims];
    };
    const claims = {
      figures: [{ value: "12", label: "boulangeries" }],
      testimonials: [{ text: "Bien.", name: "Léa", role: "Boulangère" }],
    };
    expect(shown(null)).toEqual(["examples", null]);
    expect(shown({ company: "Roue" })).toEqual(["examples", null]);
    expect(shown({ claims_confirmed: false, claims })).toEqual([claims, null]);
    expect(shown({ claims_confirmed: true })).toEqual(["examples", "examples"]);
    expect(shown({ claims_confirmed: true, claims })).toEqual([claims, claims]);
    expect(shown({ claims_confirmed: true, claims: {} })).toEqual([null, null]);
    // Neither is an entry that the law wants, or that pages read.
    const { operator } = read({ OPERATOR_FILE });
    expect(Object.keys(operator)).toEqual(Object.keys(unknownOperator));
    expect(missingEntries(operator)).not.toContain("claims");
  });

  it.each([
    { claims_confirmed: "oui" },
    { claims: [] },
    { claims: { figures: [{ value: "", label: "avis" }] } },
    { claims: { figures: [{ value: "1".repeat(17), label: "avis" }] } },
    { claims: { figures: Array(4).fill({ value: "1", label: "avis" }) } },
    { claims: { testimonials: [{ text: "Bien.", name: "Léa" }] } },
    { claims: { testimonials: [{ text: "B".repeat(241), name: "Léa", role: "Boulangère" }] } },
    {
      claims: {
        testimonials: Array(4).fill({ text: "Bien.", name: "Léa", role: "Boulangère" }),
      },
    },
  ])("refuses claims that the page has no room for: %j", (content) => {
    const folder = mkdtempSync(join(tmpdir(), "tournavis-claims-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const OPERATOR_FILE = join(folder, "exploitant.json");
    writeFileSync(OPERATOR_FILE, JSON.stringify(content));
    expect(refusal({ OPERATOR_FILE })).toBe("invalid_operator_file");
  });

  it("demands in production mode that mails can leave", () => {
    const PUBLIC_URL = "https://avis.exemple.fr";
    expect(refusal({ PUBLIC_URL })).toBe("mail_missing");
    expect(refusal({ PUBLIC_URL, SMTP_URL: MAIL.SMTP_URL })).toBe("mail_incomplete");
    expect(refusal({ PUBLIC_URL, ...MAIL, PAYMENTS: "" })).toBe("payments_missing");
    expect(refusal({ PUBLIC_URL, ...MAIL })).toBe(null);
    expect(refusal({ PUBLIC_URL: "http://localhost:3000" })).toBe(null);
  });

  it.each([
    ["http://avis.exemple.fr", true],
    ["https://avis.exemple.fr", false],
  ])("a real service at %s is warned of what browsers refuse there: %s", (url, warns) => {
    const events = serviceWarnings(read({ PUBLIC_URL: url, ...MAIL })).map(({ event }) => event);
    expect(events.includes("public_url_without_https")).toBe(warns);
  });

  it("reads the services of accounts", () => {
    const config = read({
      ...MAIL,
      MAIL_FROM: "Tournavis <bonjour@exemple.fr>",
      ...GOOGLE,
      ...CAPTCHA,
      SMS_URL: "https://sms.exemple.fr/envoi",
      SMS_TOKEN: "jeton",
      ANONYMOUS_SIGN_IN: "1",
    });
    expect(config).toMatchObject({
      mail: { smtpUrl: MAIL.SMTP_URL, from: "Tournavis <bonjour@exemple.fr>" },
      sms: { url: "https://sms.exemple.fr/envoi", token: "jeton" },
      google: {
        clientId: "client",
        clientSecret: "secret",
        issuer: "https://accounts.google.com",
      },
      captcha: { provider: "turnstile", siteKey: "site", secret: "secret" },
      allowsAnonymous: true,
    });
    expect(config.captcha?.url).toBe("https://challenges.cloudflare.com/turnstile/v0/siteverify");
    expect(read({ ...CAPTCHA, CAPTCHA_PROVIDER: "hcaptcha" }).captcha?.url).toBe(
      "https://api.hcaptcha.com/siteverify",
    );
    expect(read({ ...CAPTCHA, CAPTCHA_URL: "http://127.0.0.1:9/ok" }).captcha?.url).toBe(
      "http://127.0.0.1:9/ok",
    );
    expect(read({ GOOGLE_PLACES_KEY: "cle" }).places).toEqual({
      key: "cle",
      url: "https://places.googleapis.com",
    });
    expect(
      read({ GOOGLE_PLACES_KEY: "cle", GOOGLE_PLACES_URL: "http://127.0.0.1:9/" }).places?.url,
    ).toBe("http://127.0.0.1:9");
    expect(read({ ...GOOGLE, GOOGLE_ISSUER: "http://127.0.0.1:9/" }).google?.issuer).toBe(
      "http://127.0.0.1:9",
    );
  });

  it.each([
    [{ SMTP_URL: MAIL.SMTP_URL }, "mail_incomplete"],
    [{ MAIL_FROM: MAIL.MAIL_FROM }, "mail_incomplete"],
    [{ ...MAIL, SMTP_URL: "courrier.exemple.fr" }, "invalid_smtp_url"],
    [{ ...MAIL, SMTP_URL: "https://courrier.exemple.fr" }, "invalid_smtp_url"],
    [{ ...MAIL, SMTP_URL: "smtp://:25" }, "invalid_smtp_url"],
    [{ ...MAIL, MAIL_FROM: "Tournavis" }, "invalid_mail_from"],
    [{ ...MAIL, MAIL_FROM: "a@exemple.fr, b@exemple.fr" }, "invalid_mail_from"],
    [{ ...MAIL, MAIL_FROM: "Avis\r\nBcc: x <a@exemple.fr>" }, "invalid_mail_from"],
    [{ SMS_URL: "https://sms.exemple.fr" }, "sms_incomplete"],
    [{ VAPID_KEYS: "{}" }, "invalid_vapid_keys"],
    [{ SMS_TOKEN: "jeton" }, "sms_incomplete"],
    [{ SMS_URL: "sms.exemple.fr", SMS_TOKEN: "jeton" }, "invalid_sms_url"],
    [{ SMS_URL: "https://sms.exemple.fr", SMS_TOKEN: "deux mots" }, "invalid_sms_token"],
    [{ GOOGLE_CLIENT_ID: "client" }, "google_incomplete"],
    [{ GOOGLE_CLIENT_SECRET: "secret" }, "google_incomplete"],
    [{ GOOGLE_ISSUER: "https://compte.exemple.fr" }, "google_incomplete"],
    [{ ...GOOGLE, GOOGLE_ISSUER: "compte.exemple.fr" }, "invalid_google_issuer"],
    [{ ...GOOGLE, GOOGLE_CLIENT_ID: "deux mots" }, "invalid_google"],
    [{ GOOGLE_PLACES_URL: "https://lieux.exemple.fr" }, "places_incomplete"],
    [{ GOOGLE_PLACES_KEY: "cle", GOOGLE_PLACES_URL: "lieux" }, "invalid_places_url"],
    [{ GOOGLE_PLACES_KEY: "deux mots" }, "invalid_places_key"],
    [{ CAPTCHA_PROVIDER: "turnstile" }, "captcha_incomplete"],
    [{ CAPTCHA_URL: "https://captcha.exemple.fr" }, "captcha_incomplete"],
    [{ ...CAPTCHA, CAPTCHA_SECRET: "" }, "captcha_incomplete"],
    [{ ...CAPTCHA, CAPTCHA_PROVIDER: "autre" }, "invalid_captcha_provider"],
    [{ ...CAPTCHA, CAPTCHA_SECRET: "clé secrète" }, "invalid_captcha_key"],
    [{ ...CAPTCHA, CAPTCHA_URL: "ftp://captcha.exemple.fr" }, "invalid_captcha_url"],
    [{ ANONYMOUS_SIGN_IN: "oui" }, "invalid_anonymous_sign_in"],
    [{ ANONYMOUS_SIGN_IN: "0" }, null],
  ])("services %o: %s", (env, code) => {
    expect(refusal(env)).toBe(code);
  });

  it("never repeats a password or a key", () => {
    const secrets = [
      { ...MAIL, SMTP_URL: "http://moi:tres-secret@courrier" },
      { ...CAPTCHA, CAPTCHA_SECRET: "tres-secret é" },
      { SMS_URL: "http://moi:tres-secret@sms", SMS_TOKEN: "jeton" },
      { ...GOOGLE, GOOGLE_CLIENT_SECRET: "tres-secret é" },
    ];
    for (const env of secrets) {
      expect(() => read(env)).toThrow();
      expect(() => read(env)).not.toThrow(/tres-secret/);
    }
  });

  it.each([["--lann"], ["--lan=yes"], ["demo"], ["--port"], ["-x"], ["--"]])(
    "refuses the argument %s",
    (argument) => {
      expect(refusal({}, [argument])).toBe("unknown_argument");
    },
  );

  it("answers --help before it looks at anything else", () => {
    const command = readCommand({ env: { PORT: "x" }, argv: ["--help"], cwd: "/" });
    expect(command.kind).toBe("help");
  });
});
