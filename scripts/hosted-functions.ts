import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { makeFolder, openDatabase } from "../bench/stage.ts";
import { readConfig } from "../server/config.ts";
import { ROOT } from "../server/root.ts";
import { type RunningServer, startServer } from "../server/server.ts";

/**
 * `npm run hosted`: the server functions on Deno, as a Supabase project runs them (`index.ts`, with the import map of
 * `deno.json`), beside the same ones on our own server, on one database. What is asked of both must be answered alike, and
 * a customer must get from the campaign to the till. Deno is fetched for the occasion.
 *
 * Not tried: the payment provider, and logos, whose storage our own server shows to nobody from outside.
 */

const DENO = "deno@2.9.6";
const FUNCTIONS = new URL("supabase/functions/", ROOT);
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
  SITE_URL: "https://avis.exemple.fr",
};

/** What a function is asked without knowing anything of it: most is refused, and each refusal has its words. */
const QUESTIONS: readonly RequestInit[] = [
  { method: "OPTIONS" },
  { method: "GET" },
  { method: "DELETE" },
  { method: "POST", body: "" },
  { method: "POST", body: "{" },
  { method: "POST", body: "{}" },
  { method: "POST", body: JSON.stringify({ surplus: "\0" }) },
];

type Answer = { status: number; type: string | null; body: unknown };

async function ask(address: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { "content-type": "application/json", ...init.headers };
  const response = await fetch(address, { ...init, headers });
  const type = response.headers.get("content-type");
  const text = await response.text();
  return { status: response.status, type, body: type?.includes("json") ? JSON.parse(text) : text };
}

/** Starts all functions in one Deno, which ends with its standard input. */
async function startDeno(folder: string, databaseUrl: string, server: RunningServer) {
  const entries = await readdir(FUNCTIONS, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map(({ name }) => name);
  const main = join(folder, "main.ts");
  await writeFile(main, mainOf(names));
  const { publishableKey, secretKey, hashKey, jwtSecret } = server.secrets;
  const deno = spawn(
    "npx",
    [
      ...["--yes", DENO, "run", "--quiet", "-A", "--no-check", "--no-lock"],
      "--node-modules-dir=none",
      `--config=${fileURLToPath(new URL("deno.json", FUNCTIONS))}`,
      main,
    ],
    {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
      env: {
        ...process.env,
        DENO_DIR: join(folder, "deno"),
        DENO_NO_UPDATE_CHECK: "1",
        SUPABASE_URL: server.url,
        SUPABASE_ANON_KEY: publishableKey,
        SUPABASE_SERVICE_ROLE_KEY: secretKey,
        SUPABASE_DB_URL: databaseUrl,
        HASH_KEY: hashKey,
        API_JWT_SECRET: jwtSecret,
        ...PAYMENTS,
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    deno.once("exit", (code) => reject(new Error(`Deno ended with ${code}.`)));
    createInterface(deno.stdout).on("line", (line) => {
      const [, told] = /^listening on (\d+)$/.exec(line) ?? [];
      if (told) resolve(Number(told));
    });
  });
  return {
    names,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (deno.exitCode !== null) return;
      const ended = once(deno, "exit");
      deno.stdin.end();
      await ended;
    },
  };
}

/** Each function under its name, as the platform mounts them. */
function mainOf(names: readonly string[]): string {
  return `
${names.map((name, index) => `import f${index} from "${new URL(`${name}/index.ts`, FUNCTIONS)}";`).join("\n")}
const all = new Map([${names.map((name, index) => `["${name}", f${index}]`).join(", ")}]);
const onListen = ({ port }) => console.log("listening on " + port);
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, (request) => {
  const [, name] = new URL(request.url).pathname.split("/");
  return all.get(name)?.fetch(request) ?? new Response(null, { status: 404 });
});
for await (const _ of Deno.stdin.readable);
Deno.exit();
`;
}

const session = z.object({ access_token: z.string() });
const withId = z.object({ id: z.uuid() });
const recorded = z.object({ review_id: z.uuid() });

const folder = await makeFolder();
/** What ends what has been started, the last one first. */
const ends = [() => rm(folder, { recursive: true, force: true })];
let differences = 0;
try {
  const database = await openDatabase(folder);
  ends.unshift(database.stop);
  const env = {
    PORT: "0",
    DATABASE_URL: database.databaseUrl,
    TOURNAVIS_DATA: folder,
    DEMO_PASSWORD: PASSWORD,
  };
  const server = await startServer(readConfig({ env, argv: [], cwd: folder }), {
    log: Object.assign(() => {}, { flush: () => {} }),
  });
  ends.unshift(server.stop);
  const deno = await startDeno(folder, database.databaseUrl, server);
  ends.unshift(deno.stop);
  const ours = `${server.url}/functions/v1`;
  const { demo } = server;
  if (!demo) throw new Error("There is no demo shop.");
  const signedIn = await ask(`${server.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: server.secrets.publishableKey },
    body: JSON.stringify({ email: demo.email, password: PASSWORD }),
  });
  const authorization = `Bearer ${session.parse(signedIn.body).access_token}`;

  for (const name of deno.names) {
    const told: string[] = [];
    for (const question of QUESTIONS) {
      for (const headers of question.method === "POST" ? [{}, { authorization }] : [{}]) {
        const asked = { ...question, headers };
        const here = await ask(`${ours}/${name}`, asked);
        const there = await ask(`${deno.url}/${name}`, asked);
        told.push(String(there.status));
        if (isDeepStrictEqual(here, there)) continue;
        differences += 1;
        const { method, body } = question;
        process.stdout.write(`${name} ${JSON.stringify({ method, body, here, there })}\n`);
      }
    }
    process.stdout.write(`${name.padEnd(22)} ${told.join(" ")}\n`);
  }

  const step = async (name: string, expected: number, body: object, headers = {}) => {
    const asked = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await ask(`${deno.url}/${name}`, asked);
    process.stdout.write(`${name.padEnd(22)} ${answer.status}\n`);
    if (answer.status === expected) return answer.body;
    throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
  const campaign = await ask(`${deno.url}/campaign?slug=${demo.slug}`);
  const { id: campaign_id } = withId.parse(campaign.body);
  await step("scan", 204, { slug: demo.slug });
  const end_user = { first_name: "Zoé", last_name: "Roy", email: "zoe@exemple.fr" };
  const review = await step("review_record", 201, {
    campaign_id,
    visit_id: randomUUID(),
    end_user: { ...end_user, consent_marketing: false },
    rating: 5,
  });
  const { review_id } = recorded.parse(review);
  await step("public_review_click", 204, { campaign_id, review_id });
  await step("spin_wheel", 200, { campaign_id, review_id, device_fp: "d".repeat(64) });

  // What the draw gives is chance: the till is shown a code of the demo's past.
  const [code] = await server.adminSql<{ code: string; store_id: string; org_id: string }[]>`
    select code, store_id, org_id from public.redemptions
    where status = 'available' and expires_at > now() limit 1`;
  if (!code) throw new Error("The demo shop has no open code.");
  await step("redeem", 200, { code: code.code, store_id: code.store_id }, { authorization });
  await step("redeem", 409, { code: code.code, store_id: code.store_id }, { authorization });
  for (const type of ["customers", "redemptions"]) {
    const order = { type, org_id: code.org_id };
    const there = await step("exports-csv", 200, order, { authorization });
    const asked = { method: "POST", headers: { authorization }, body: JSON.stringify(order) };
    const here = await ask(`${ours}/exports-csv`, asked);
    if (!isDeepStrictEqual(here.body, there)) throw new Error(`The exports of ${type} differ.`);
  }
} finally {
  for (const end of ends) await end();
}
process.stdout.write(`\n${differences} differences\n`);
process.exitCode = differences === 0 ? 0 : 1;
