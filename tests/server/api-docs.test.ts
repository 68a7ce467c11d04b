import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod/mini";
import { ROOT } from "../../server/root.ts";
import { apiDocsCopy } from "../../web/features/api-docs/api-docs.copy.ts";
import {
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Examples of `/docs/api`, run as they are printed: a reader copies them. */

const run = promisify(execFile);
const REVIEWS = 2_500;

let server: TestServer;
let keys: { read: string; redeem: string };
let storeId: string;

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  const organization = await createOrganization(sql);
  const { id: orgId } = organization;
  storeId = organization.storeId;
  await sql`update public.subscriptions set plan = 'pro', status = 'active' where org_id = ${orgId}`;
  const [read, redeem] = await Promise.all([
    createApiKey(sql, { orgId }),
    createApiKey(sql, { orgId, scope: "redeem" }),
  ]);
  keys = { read: read.key, redeem: redeem.key };
  const campaign = await createCampaign(sql, { orgId, storeId });
  const rewardId = await createReward(sql, campaign);
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`
      insert into public.customers (org_id, store_id, name, email, phone, consent_marketing, consent_at)
      values (${orgId}, ${storeId}, 'Marie', 'Marie.Petit+cafe@exemple.fr', '06 12 34 56 78', true, now()),
        (${orgId}, ${storeId}, 'Anne', 'anne@exemple.fr', '06 12 34 56 79', false, null)`;
    // Three share each instant, so that one of them stands on both sides of a page's end.
    await transaction`
      insert into public.pre_spin_reviews (org_id, campaign_id, store_id, visit_id, customer_name, rating, created_at)
      select ${orgId}, ${campaign.id}, ${storeId}, gen_random_uuid(), 'Client ' || n, n % 5 + 1,
        timestamptz '2026-02-03 04:05:06.789012Z' + n / 3 * interval '1 microsecond'
      from generate_series(1, ${REVIEWS}) n`;
  });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  await spin(sql, { campaignId: campaign.id });
  await sql`update public.redemptions set code = 'WIN-ABCD-2345' where org_id = ${orgId}`;
  await spin(sql, { campaignId: campaign.id });
});
afterAll(() => server.stop());

/** Examples of a section, by their labels. */
function examplesOf(section: string): Record<string, string> {
  const found = apiDocsCopy.sections(server.url).find(({ id }) => id === section);
  return Object.fromEntries((found?.examples ?? []).map(({ label, code }) => [label, code]));
}

/** Answer to the one address that an example with curl reads. */
async function curl(example = ""): Promise<unknown> {
  const address = /curl "([^"]+)"/.exec(example)?.[1] ?? "";
  expect(example).toContain('-H "apikey: $TOURNAVIS_KEY"');
  const response = await fetch(address, { headers: { apikey: keys.read } });
  expect(response.status).toBe(200);
  return response.json();
}

/** Value of a variable after an example in JavaScript, run in a process of its own. */
async function javascript(code: string, key: string, variable: string): Promise<unknown> {
  const { stdout } = await run(
    process.execPath,
    // The page asks for Node 22, which has WebSocket without this.
    [
      ...(Number.parseInt(process.versions.node, 10) < 22 ? ["--experimental-websocket"] : []),
      "--input-type=module",
      "-e",
      `${code}\nconsole.log(JSON.stringify(${variable}));`,
    ],
    { cwd: ROOT, env: { ...process.env, TOURNAVIS_KEY: key }, maxBuffer: 10_000_000 },
  );
  return JSON.parse(stdout);
}

const CLIENT = () => examplesOf("lire").JavaScript?.split("\n\n").slice(0, 2).join("\n\n") ?? "";

it("read reviews and customers", async () => {
  const { curl: reviews, JavaScript: customers = "" } = examplesOf("lire");
  const rows = z.array(z.object({ rating: z.number() })).parse(await curl(reviews));
  expect(rows).toHaveLength(20);
  expect(rows.every(({ rating }) => rating <= 3)).toBe(true);
  expect(await javascript(customers, keys.read, "{ data, error }")).toMatchObject({
    data: [{ name: "Marie", email: "Marie.Petit+cafe@exemple.fr" }],
    error: null,
  });
});

it("find a customer by address and number, and a code, each by an index", async () => {
  const examples = examplesOf("retrouver");
  expect(await curl(examples["Par e-mail"])).toMatchObject([{ name: "Marie" }]);
  expect(await curl(examples["Par téléphone"])).toMatchObject([{ name: "Marie" }]);
  expect(await curl(examples["Par code"])).toMatchObject([{ code: "WIN-ABCD-2345" }]);
  const unique = [
    "customers.email_normalized",
    "customers.phone_normalized",
    "redemptions.code_key",
  ];
  expect(await indexedColumns("unique")).toEqual(expect.arrayContaining(unique));
});

/** Columns, with their tables, by which an index, or a unique one, finds the rows of one organisation. */
async function indexedColumns(kind: "any" | "unique"): Promise<string[]> {
  const indexed = await server.database.sql<{ column: string }[]>`
    select c.relname || '.' || a.attname as column
    from pg_index i
    join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[1]
    join pg_attribute o on o.attrelid = i.indrelid and o.attnum = i.indkey[0] and o.attname = 'org_id'
    where i.indisunique or ${kind === "any"}`;
  return indexed.map(({ column }) => column);
}

it("read all reviews page by page, each once", async () => {
  const { JavaScript: code = "" } = examplesOf("synchroniser");
  const reviews = z
    .array(z.object({ id: z.string(), created_at: z.string() }))
    .parse(await javascript(`${CLIENT()}\n${code}`, keys.read, "reviews"));
  expect(reviews).toHaveLength(REVIEWS);
  expect(new Set(reviews.map(({ id }) => id)).size).toBe(REVIEWS);
});

it("read messages that came after their review, and withdrawn consents, each by an index", async () => {
  const { sql } = server.database;
  const written = await sql<{ id: string }[]>`
    update public.pre_spin_reviews set rating = 1, review_text = 'Le pain était froid ce matin-là.', feedback_at = '2026-05-06 07:08:09Z'
    where id in (select id from public.pre_spin_reviews order by id limit 2) returning id`;
  const examples = examplesOf("suivre");
  const messages = z.array(z.object({ id: z.string() })).parse(await curl(examples.Messages));
  expect(messages.map(({ id }) => id).sort()).toEqual(written.map(({ id }) => id).sort());
  const customer = { email: "Marie.Petit+cafe@exemple.fr" };
  const withdrawn = () => curl(examples["Consentements retirés"]);
  expect(await withdrawn()).toEqual([]);
  await sql`update public.customers set consent_marketing = false where email = ${customer.email}`;
  expect(await withdrawn()).toEqual([
    expect.objectContaining({ ...customer, consent_marketing: false }),
  ]);
  await sql`update public.customers set consent_marketing = true where email = ${customer.email}`;
  const followed = ["pre_spin_reviews.feedback_at", "customers.consent_withdrawn_at"];
  expect(await indexedColumns("any")).toEqual(expect.arrayContaining(followed));
});

it("read figures of days as CSV, whose rows are to be added", async () => {
  const { sql } = server.database;
  await sql`
    insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard, reviews, rating_sum)
    select org_id, id, store_id, '2026-03-04', shard, 2, 9 from public.campaigns, unnest('{3,5}'::int[]) shard
    where org_id = (select org_id from public.stores where id = ${storeId})`;
  const { curl: example = "" } = examplesOf("chiffres");
  const address = /curl "([^"]+)"/.exec(example)?.[1] ?? "";
  expect(example).toContain('-H "accept: text/csv"');
  const response = await fetch(address, { headers: { apikey: keys.read, accept: "text/csv" } });
  const [names, ...rows] = (await response.text()).split("\n");
  expect(names).toBe("day,campaign_id,scans,reviews,rating_sum,spins,wins,redemptions");
  expect(rows.filter((row) => row.startsWith("2026-03-04"))).toHaveLength(2);
});

it("erase nobody, and tell who is left", async () => {
  const { sql } = server.database;
  const [anne] = await sql<{ id: string }[]>`
    select id from public.customers where email = 'anne@exemple.fr'`;
  for (const key of Object.values(keys)) {
    const response = await fetch(`${server.url}/rest/v1/customers?id=eq.${anne?.id}`, {
      method: "DELETE",
      headers: { apikey: key },
    });
    expect(response.status).toBe(403);
  }
  const response = await fetch(
    `${server.url}/rest/v1/customers?select=id&id=in.(${anne?.id},${crypto.randomUUID()})`,
    { headers: { apikey: keys.read } },
  );
  expect(await response.json()).toEqual([{ id: anne?.id }]);
});

it("tell and use a code at the till", async () => {
  const { JavaScript: code = "" } = examplesOf("caisse");
  const till = `${CLIENT()}\nconst storeId = "${storeId}";\n${code}`;
  expect(await javascript(till, keys.redeem, "code")).toMatchObject({ state: "available" });
  const [used] = await server.database.sql`
    select status, used_store_id from public.redemptions where code = 'WIN-ABCD-2345'`;
  expect(used).toEqual({ status: "used", used_store_id: storeId });
  const again = `${CLIENT()}
    const { error } = await tournavis.functions.invoke("redeem", {
      body: { code: "WINABCD2345", store_id: "${storeId}", request_id: crypto.randomUUID() },
    });
    const refusal = { name: error.name, ...(await error.context.json()) };`;
  expect(await javascript(again, keys.redeem, "refusal")).toMatchObject({
    name: "FunctionsHttpError",
    error: { code: "code_used" },
  });
});

it("choose, count and refuse as the page says", async () => {
  const read = (path: string, headers = {}) =>
    fetch(`${server.url}/rest/v1/${path}`, { headers: { apikey: keys.read, ...headers } });
  const names = 'customers?select=name&or=(name.eq."Marie, a",name.in.(Anne,"Zoé (b)"))';
  expect(await (await read(names)).json()).toEqual([{ name: "Anne" }]);
  const counted = await read("pre_spin_reviews?select=id&limit=1", { prefer: "count=exact" });
  expect(counted.headers.get("content-range")).toBe(`0-0/${REVIEWS}`);
  const csv = await read("customers?select=name&order=name", { accept: "text/csv" });
  expect((await csv.text()).split("\n").slice(0, 2)).toEqual(["name", '"Ana Petit"']);

  const odd = await read("customers?select=nom");
  expect(odd.status).toBe(400);
  expect(Object.keys(await odd.json()).sort()).toEqual(["code", "details", "hint", "message"]);
  const few = `id=in.(${Array.from({ length: 200 }, () => crypto.randomUUID()).join(",")})`;
  expect((await read(`customers?${few}`)).status).toBe(200);
  const many = await read(`customers?${few}${"&select=id".repeat(1_000)}`);
  expect(many.status).toBe(431);
  expect(Object.keys(await many.json()).sort()).toEqual(["code", "details", "hint", "message"]);

  const { sql } = server.database;
  const [expired] = await sql<{ code: string }[]>`
    update public.redemptions set created_at = now() - interval '9 days', expires_at = now() - interval '1 day'
    where code <> 'WIN-ABCD-2345' returning code`;
  const use = async (code: string) => {
    const answer = await fetch(`${server.url}/functions/v1/redeem`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.redeem}`, "content-type": "application/json" },
      body: JSON.stringify({ code, store_id: storeId, request_id: crypto.randomUUID() }),
    });
    const { error } = z
      .object({ error: z.object({ code: z.string(), message: z.string() }) })
      .parse(await answer.json());
    return `${answer.status} ${error.code}`;
  };
  expect(await use(expired?.code ?? "")).toBe("409 code_expired");
  expect(await use("WIN-ABCD-9999")).toBe("404 code_not_found");
});
