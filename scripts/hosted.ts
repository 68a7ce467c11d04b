import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { operatorFile } from "#domain/schemas/operator.ts";
import { makeFolder } from "../bench/bench-app.ts";
import { ensureBuilt } from "../server/build/ensure-built.ts";
import { readConfig } from "../server/config/config.ts";
import { readSecrets, writeMovedSecrets } from "../server/config/secrets.ts";
import { ROOT } from "../server/root.ts";
import { startServer } from "../server/server.ts";
import { writeStaticSite } from "../server/web/static-site.ts";
import { makeVapidKeys } from "../supabase/functions/_shared/messages/vapid-keys.ts";
import { readChoices } from "./choices.ts";
import { prepareCli } from "./hosted/cli.ts";
import { compareAnswers, signIn } from "./hosted/compare-answers.ts";
import { startFunctions } from "./hosted/functions.ts";
import { startGateway } from "./hosted/gateway.ts";
import { playOnAPhone } from "./hosted/journey.ts";
import { PROJECT_REF, startManagementApi } from "./hosted/management-api.ts";
import { tryOwnData } from "./hosted/own-data.ts";
import { tryFiles } from "./hosted/own-files.ts";
import { PACKED, packFunctions } from "./hosted/pack-functions.ts";
import { startProjectDatabase } from "./hosted/project-database.ts";
import { startStaticHost } from "./hosted/static-host.ts";
import {
  CERTIFICATE,
  sendMessages,
  startMailServer,
  startSmsGateway,
  workAlone,
} from "./hosted/work.ts";

/**
 * `npm run hosted`: a Supabase project made of this repository, without leaving this machine. The official CLI pushes
 * the migrations to a PostgreSQL 17 as a project has it. Functions and settings go to a fake of the management API.
 * Each function then runs on a Deno of its own with what was uploaded, behind a gateway that checks tokens where it was
 * deployed so; the database runs the jobs; a phone plays on pages of a static host. In the end the functions are asked
 * what our own server is asked, and must answer alike. Sign-in and data are our own server's, whose protocol is the
 * platform's.
 *
 * The CLI and Deno are fetched by npm for the occasion. `-- --sources` runs the functions as they go up from their sources,
 * instead of packed.
 */

const { sources = false } = readChoices("npm run hosted -- [--sources]", {
  sources: { type: "boolean" },
}).values;

const PASSWORD = "mot-de-passe-demo";

/** Payments are on, so that what is asked without meaning to pay is answered as where they are. */
const PAYMENTS = {
  STRIPE_SECRET_KEY: "sk_test_none",
  STRIPE_WEBHOOK_SECRET: "whsec_none",
  STRIPE_PRICE_BASIC_MONTHLY: "price_1",
  STRIPE_PRICE_BASIC_YEARLY: "price_2",
  STRIPE_PRICE_PRO_MONTHLY: "price_3",
  STRIPE_PRICE_PRO_YEARLY: "price_4",
  STRIPE_TAX_RATE: "txr_1",
};

const SITE_URL = "https://avis.exemple.fr";
/** Statuses of the static host by address: pages, files, and missing ones. */
const ANSWERS = {
  "/": 200,
  "/pricing": 200,
  "/auth": 200,
  "/dashboard": 200,
  "/campaigns/1f0e/edit": 200,
  "/c/une-campagne/review": 200,
  "/org/un-commerce": 200,
  "/unsubscribe": 200,
  "/settings/account": 200,
  "/auth/deleted": 200,
  "/config.json": 200,
  "/nulle-part": 404,
  "/campaigns/1f0e/nulle-part": 404,
};

const siteSettings = z.object({ site_url: z.string() });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const folder = await makeFolder();
/** Functions that end the started parts, the last one first. */
const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
/** Remembers how something that has started ends. */
function started<Running extends { stop(): Promise<unknown> }>(running: Running): Running {
  ends.unshift(() => running.stop());
  return running;
}

try {
  const dataFolder = join(folder, "data");
  // Secret by which a hosted project signs while its functions know one secret.
  const jwtSecret = randomBytes(32).toString("base64url");
  const secrets = await readSecrets(dataFolder);
  await writeMovedSecrets(dataFolder, { "jwt-secret": jwtSecret });
  const api = started(await startManagementApi());
  const database = started(await startProjectDatabase(folder));
  const mails = started(await startMailServer());
  const sms = started(await startSmsGateway());
  const gateway = started(
    await startGateway({
      admin: database.admin,
      jwtSecret,
      serviceKey: secrets.secretKey,
    }),
  );

  const env = {
    SITE_URL,
    RP_ID: new URL(SITE_URL).hostname,
    PROJECT_URL: gateway.url,
    HASH_KEY: secrets.hashKey,
    JOBS_SECRET: randomBytes(32).toString("hex"),
    SMTP_URL: mails.url,
    MAIL_FROM: "Tournavis <bonjour@exemple.fr>",
    SMS_URL: sms.url,
    SMS_TOKEN: randomBytes(16).toString("hex"),
    VAPID_KEYS: JSON.stringify(makeVapidKeys()),
    API_JWT_SECRET: jwtSecret,
    ...PAYMENTS,
  };
  const { names, largest } = await packFunctions();
  const cli = await prepareCli(folder, api.url, env);
  await cli("db", "push", `--remote=${database.url}`);
  const [pushed] = await database.admin<{ migrations: number; scheduled: number }[]>`
    select (select count(*)::integer from supabase_migrations.schema_migrations) as migrations,
      (select count(*)::integer from cron.job) as scheduled`;
  say(`db push: ${pushed?.migrations} migrations, ${pushed?.scheduled} scheduled calls`);
  const deploy = async (...way: string[]) => {
    await cli("functions", "deploy", "--use-api", `--remote=${PROJECT_REF}`, ...way);
    const sent = api.functions.splice(0);
    if (sent.length !== names.length) throw new Error("Not every function was deployed.");
    return sent;
  };
  const fromSources = await deploy();
  if (!fromSources.every((sent) => sent.import_map_path !== undefined && !sent.verify_jwt)) {
    throw new Error(
      "Not every function was deployed with the import map and without the gateway's check.",
    );
  }
  const packed = await deploy("--workdir", PACKED);
  const deployed = sources ? fromSources : packed;
  say(
    `functions deploy: ${names.length} functions, packed at most ${(largest / 1e6).toFixed(1)} MB`,
  );
  // The fake's answer to a change is shorter than the platform's: the CLI complains of that once it has sent its own.
  await cli("config", "push", `--remote=${PROJECT_REF}`).catch(() => "");
  const { site_url } = siteSettings.parse(api.settings.get("/v1/config/auth"));
  if (site_url !== SITE_URL) throw new Error(`config push would set site_url to ${site_url}.`);
  say(`config push: site_url ${site_url}`);

  const functions = started(
    await startFunctions(folder, deployed, {
      SUPABASE_URL: gateway.url,
      SUPABASE_ANON_KEY: secrets.publishableKey,
      SUPABASE_SERVICE_ROLE_KEY: secrets.secretKey,
      SUPABASE_DB_URL: database.url,
      DENO_CERT: fileURLToPath(CERTIFICATE),
      ...env,
    }),
  );
  for (const { name, verify_jwt } of deployed) {
    gateway.routes.set(name, {
      address: functions.addressOf.get(name) ?? "",
      verifyJwt: verify_jwt,
    });
  }
  say(`Deno: ${functions.addressOf.size} functions, each alone`);
  await workAlone(database, gateway, mails);
  await sendMessages(database, sms);
  const sent = functions.logged.filter((line) => line.includes('"event":"message_sent"'));
  if (sent.length !== 3) throw new Error(`The log has ${sent.length} sent messages, not 3.`);
  say(
    "work: mail and text message left, push message looked for its service, the file was removed",
  );

  const config = readConfig({
    env: {
      PORT: "0",
      DATABASE_URL: database.adminUrl,
      TOURNAVIS_DATA: dataFolder,
      DEMO_PASSWORD: PASSWORD,
    },
    argv: [],
    cwd: folder,
  });
  const log = Object.assign(() => {}, { flush: () => {} });
  const server = started(await startServer(config, { log }));
  gateway.platform = server.url;
  const { dist } = await ensureBuilt({ root: fileURLToPath(ROOT) });
  const out = join(folder, "static");
  await writeStaticSite({
    dist,
    out,
    siteUrl: SITE_URL,
    projectUrl: gateway.url,
    publishableKey: secrets.publishableKey,
    operator: operatorFile.parse({}),
    google: false,
    captcha: null,
    pushKey: null,
    publicRating: false,
    payments: null,
  });
  const host = started(await startStaticHost(out));
  for (const [path, expected] of Object.entries(ANSWERS)) {
    const { status } = await fetch(`${host.url}${path}`);
    if (status !== expected) throw new Error(`The static host answers ${path} with ${status}.`);
  }
  say(`static host: ${Object.keys(ANSWERS).length} addresses, the unknown ones with 404`);
  const slug = server.demo?.slug ?? "";
  const [owner] = await database.admin<{ slug: string }[]>`
    select o.slug from public.campaigns c join public.organizations o on o.id = c.org_id where c.slug = ${slug}`;
  const customers = await playOnAPhone(host.url, {
    organization: owner?.slug ?? "",
    campaign: slug,
  });
  say(`phone: customer ${customers} won, and kept the prize`);

  const functionsUrl = `${gateway.url}/functions/v1`;
  const differences = await compareAnswers(server, {
    names: names.filter((name) => name !== "run-jobs"),
    functionsUrl,
    password: PASSWORD,
  });
  const { email = "" } = server.demo ?? {};
  const authorization = await signIn(server, { email, password: PASSWORD });
  await tryFiles(server, { gateway, functionsUrl, authorization });
  say("files: two logos, a report and a copy of everything were made");
  await tryOwnData(server, { url: gateway.url, siteUrl: SITE_URL, password: PASSWORD });
  say(
    "own data: a consent withdrawn, a key read, an account copied and deleted, the last owner refused",
  );
  say(`\n${differences} differences`);
  process.exitCode = differences === 0 ? 0 : 1;
} finally {
  for (const end of ends) await end();
}
