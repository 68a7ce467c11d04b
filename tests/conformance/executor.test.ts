import { isDeepStrictEqual } from "node:util";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCallables } from "../database/function-calls.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { rounds, SEED } from "../harness/depth.ts";
import {
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/**
 * The data API has two ways to answer, its own executor and the library: nobody can tell which it was. Requests are made
 * up from the catalog; each is sent both ways by the same asker. What writes is sent to two organisations that are the
 * same but for their identifiers, and leaves the same behind.
 */

/** Which way requests go; read by the server at each of them. */
let isExecuting = true;
let server: TestServer;

/** An organisation with something of everything, and another's identifiers. */
type Tenant = {
  organization: Organization;
  /** Identifiers that requests may name, in the same order for every tenant. */
  identifiers: readonly string[];
  /** The headers by which each asker is known. */
  askers: Readonly<Record<string, Record<string, string>>>;
};

/** Two of a kind, and somebody else's. */
let tenants: readonly [Tenant, Tenant, Tenant];

/** A function, or a table with its columns, as an administrator knows them. */
let functions: { name: string; isVolatile: boolean; takes: { name: string; type: string }[] }[];
let tables: { name: string; columns: { name: string; type: string }[] }[];

/**
 * Functions that answer by chance, take the asker's own access away, or count for the whole server.
 */
const LEFT_OUT =
  /^(create_api_key|create_recovery_codes|end_organization|end_session|leave_organization|transfer_ownership|remove_member|revoke_api_key)$/;

/** Tables that screens and keys write. */
const WRITTEN = ["stores", "campaigns", "rewards", "organizations", "customers", "wheel_segments"];

beforeAll(async () => {
  server = await startTestServer({ isExecuting: () => isExecuting });
  // A job that ran between two organisations, or two requests, would leave them different.
  await server.database.sql`update private.jobs set next_run_at = now() + interval '1 day'`;
  tenants = [await makeTenant(), await makeTenant(), await makeTenant()];
  const { sql } = server.database;
  const volatile = new Set(
    (
      await sql<{ name: string }[]>`
        select proname as name from pg_proc
        where pronamespace = 'public'::regnamespace and provolatile = 'v'`
    ).map(({ name }) => name),
  );
  functions = (await readCallables(sql))
    .filter(({ name }) => !LEFT_OUT.test(name))
    .map(({ name, takes }) => ({ name, takes, isVolatile: volatile.has(name) }));
  tables = await sql<typeof tables>`
    select c.relname as name, json_agg(
      json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
    group by c.relname order by c.relname`;
});

afterAll(() => server.stop());

/** A moment so many seconds ahead, as tokens write it. */
function at(seconds: number): number {
  return Math.floor(secondsFromNow(seconds).getTime() / 1000);
}

/** A member's access token; with other claims, or another secret and header, where something is wrong with it. */
async function tokenOf(
  userId: string,
  { claims = {}, header = {}, secret }: { claims?: object; header?: object; secret?: string } = {},
): Promise<string> {
  const exp = at(3600);
  const plain = { role: "authenticated", session_id: userId, aal: "aal1", sub: userId, exp };
  const content = { ...plain, aud: "authenticated", ...claims };
  if (secret === undefined) return server.running.tokens.sign(content);
  return new SignJWT(content)
    .setProtectedHeader({ alg: "HS256", typ: "JWT", ...header })
    .sign(new TextEncoder().encode(secret));
}

async function makeTenant(): Promise<Tenant> {
  const { sql } = server.database;
  const organization = await createOrganization(sql, { store: { name: "Le Magasin" } });
  const { id: orgId, storeId, users } = organization;
  const campaign = await createCampaign(sql, { orgId, storeId, name: "Été", playIntervalDays: 0 });
  const rewardId = await createReward(sql, campaign, { name: "Café" });
  const slices = await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  const second = await createStore(sql, { orgId, name: "L'Autre, « loin »" });
  for (const email of ["ana@exemple.fr", "zoe@exemple.fr"]) {
    await review(sql, { campaignId: campaign.id, email });
    await spin(sql, { campaignId: campaign.id, email });
  }
  const customers = await sql<{ id: string }[]>`
    select id from public.customers where org_id = ${orgId} order by email`;
  const publishable = { apikey: server.running.secrets.publishableKey };
  const member = async (user: { id: string }) => ({
    ...publishable,
    authorization: `Bearer ${await tokenOf(user.id)}`,
  });
  const { key } = await createApiKey(sql, { orgId });
  return {
    organization,
    identifiers: [
      ...[orgId, storeId, second, campaign.id, rewardId, ...slices],
      ...customers.map(({ id }) => id),
      ...[users.owner.id, users.member.id, organization.slug, campaign.slug],
    ],
    askers: {
      nobody: publishable,
      owner: await member(users.owner),
      admin: await member(users.admin),
      member: await member(users.member),
      cashier: await member(users.cashier),
      key: { apikey: key },
      stranger: { ...publishable, authorization: "Bearer x.y.z" },
      server: { apikey: server.running.secrets.secretKey },
    },
  };
}

/** A request; its texts name a tenant's things by `«0»`, another's by `»0«`. */
type Asked = {
  asker: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  isWriting: boolean;
};

/** Numbers from a seed: the same requests in every run of the quick suite. */
function chance(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const is = (probability: number) => next() < probability;
  function pick<T>(from: readonly T[]): T {
    const picked = from[below(from.length)];
    if (picked === undefined) throw new Error("Nothing to choose from.");
    return picked;
  }
  return { below, is, pick };
}

type Chance = ReturnType<typeof chance>;

const WORDS = [
  "Essai",
  "",
  "café",
  'so "far"',
  "a,b",
  "x'; drop table stores; --",
  "\\",
  "(é)",
  "%",
  "nul\u0000",
  "half\ud83d",
  "Null",
  "true",
  "+33612345678",
  "1.50",
  " x ",
  '"x"',
  "{a}",
];

/** A value that somebody might send for a type; now and then one of another. */
function valueFor(type: string, { is, pick, below }: Chance): unknown {
  if (is(0.06)) return pick([null, {}, [], 7, "mot", true]);
  if (type === "uuid") return is(0.12) ? `»${below(8)}«` : `«${below(10)}»`;
  if (type === "boolean") return is(0.5);
  if (/^(small|big)?int|^integer|^numeric|^double/.test(type)) return pick([0, 1, 2, 20, -1]);
  if (/^(date|timestamp)/.test(type))
    return pick(["2026-01-05", "2026-11-22T10:00:00Z", "2026-02-31"]);
  // PostgreSQL's answer to a text that is no time depends on its digits, which identifiers have by
  // chance.
  if (/^time\b/.test(type)) return pick(["22:30", "02:00:00", "25:99"]);
  if (type === "json" || type === "jsonb") return pick([{}, { a: [1, null] }, []]);
  if (type.endsWith("[]")) return pick([[], ["a", "«0»"]]);
  return is(0.3) ? pick(["«11»", "«12»", "«0»", "ana@exemple.fr"]) : pick(WORDS);
}

const ASKERS = [
  "owner",
  "owner",
  "owner",
  "admin",
  "member",
  "cashier",
  "key",
  "nobody",
  "stranger",
];
/** Askers for tables: also a program of the operator's, to whom no policy applies. */
const TABLE_ASKERS = [...ASKERS, "server"];
const SINGLE = "application/vnd.pgrst.object+json";

function makeCall(by: Chance): Asked {
  const { name, takes, isVolatile } = by.pick(functions);
  const given = takes.filter(() => !by.is(0.05));
  const args = Object.fromEntries(given.map((each) => [each.name, valueFor(each.type, by)]));
  if (by.is(0.03)) args.p_unknown = 1;
  return {
    asker: by.pick(ASKERS),
    method: "POST",
    path: `rpc/${by.is(0.02) ? "nothing_of_the_kind" : name}`,
    headers: { "content-type": "application/json", ...(by.is(0.1) && { accept: SINGLE }) },
    body: by.is(0.02) ? "{" : JSON.stringify(args),
    isWriting: isVolatile,
  };
}

/** A text as an address can hold it: half a character becomes the sign for none. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

const EQUALITIES = ["eq", "neq", "is", "in"];
const OPERATORS = ["eq", "eq", ...EQUALITIES, "gt", "gte", "lt", "lte", "like", "ilike"];

/** A filter of a column, with what the tenant or anybody may send. */
function makeFilter({ name, type }: { name: string; type: string }, by: Chance): string {
  const value = String(valueFor(type, by) ?? "x");
  // Which of two made-up identifiers is the greater one differs between two of a kind.
  const isComparable = !/[«»]/.test(value);
  const operator = by.pick(isComparable ? OPERATORS : EQUALITIES);
  const operand =
    operator === "is"
      ? by.pick(["null", "null", "true", "x"])
      : operator === "in"
        ? `(${value},${value})`
        : value;
  return `${name}=${by.is(0.15) ? "not." : ""}${operator}.${encodeURIComponent(wellFormed(operand))}`;
}

function makeSelect(columns: readonly { name: string }[], by: Chance): string {
  const names = columns
    .filter(() => by.is(0.4))
    .map(({ name }) => (by.is(0.1) ? `other:${name}` : name));
  if (by.is(0.03)) names.push("nothing_of_the_kind");
  if (by.is(0.08)) names.push("stores(name)");
  return by.is(0.25) || names.length === 0 ? "*" : names.join(",");
}

function makeRead(by: Chance): Asked {
  const { name, columns } = by.pick(tables);
  const key = columns.some((column) => column.name === "id") ? "id" : (columns[0]?.name ?? "id");
  const parts = [
    `select=${makeSelect(columns, by)}`,
    ...columns.filter(() => by.is(0.05)).map((column) => makeFilter(column, by)),
    // Two of one column both hold.
    ...(by.is(0.1) ? [`${key}=neq.«1»`, `${key}=neq.«2»`] : []),
    // Without an order rows come as they please.
    `order=${by.is(0.3) ? `${by.pick(columns).name}.${by.pick(["asc", "desc.nullslast", "asc.nullsfirst"])},` : ""}${key}`,
    ...(by.is(0.2) ? [`limit=${by.pick([0, 1, 2, 50])}`] : []),
    ...(by.is(0.15) ? [`offset=${by.pick([0, 1, 3])}`] : []),
  ];
  return {
    asker: by.pick(TABLE_ASKERS),
    method: "GET",
    path: `${by.is(0.02) ? "nothing_of_the_kind" : name}?${parts.join("&")}`,
    headers: {
      ...(by.is(0.15) && { accept: SINGLE }),
      ...(by.is(0.2) && { prefer: "count=exact" }),
    },
    isWriting: false,
  };
}

const RESOLUTIONS = ["resolution=merge-duplicates", "resolution=ignore-duplicates"];

function makeWrite(by: Chance): Asked {
  const { name, columns } = by.pick(tables.filter((table) => WRITTEN.includes(table.name)));
  const asker = by.pick(TABLE_ASKERS);
  // No policy keeps a program of the operator's from what is another's, which both ways would change in turn.
  const own = (text: string) =>
    asker === "server" ? text.replace(/(?:»|%C2%BB)(\d+)(?:«|%C2%AB)/g, "«$1»") : text;
  const method = by.pick(["POST", "PATCH", "PATCH", "DELETE"]);
  const given = columns.filter((column) =>
    column.name === "org_id" ? method === "POST" : by.is(method === "POST" ? 0.35 : 0.15),
  );
  const row = Object.fromEntries(
    given.map((column) => [
      column.name,
      column.name === "org_id" ? "«0»" : valueFor(column.type, by),
    ]),
  );
  // Addresses of organisations and campaigns are no two tenants': the second way would be refused what the first one took.
  const isSlug = /^[a-z\d-]+$/.test(String(row.slug ?? ""));
  if (isSlug && name !== "stores") row.slug = "«11»";
  // A row that may be there already; by a column that tells rows apart, or by one that tells nothing.
  const isAdding = method === "POST";
  // (The library reads first, which ends a key's writing sooner than its missing right does.)
  const resolution = isAdding && asker !== "key" && by.is(0.35) ? by.pick(RESOLUTIONS) : "";
  if (resolution && by.is(0.7)) row.id = `«${by.below(8)}»`;
  const conflict =
    resolution && by.is(0.3) ? [`on_conflict=${by.pick(["id", "slug", "name"])}`] : [];
  const isShown = by.is(0.5);
  const filters = [
    `id=${by.is(0.1) ? "in.(«1»,«2»)" : `eq.${by.is(0.15) ? "»1«" : `«${by.below(8)}»`}`}`,
    ...columns.filter(() => by.is(0.04)).map((column) => makeFilter(column, by)),
  ];
  const prefer = [
    isShown ? "return=representation" : by.pick(["", "return=minimal"]),
    by.is(0.2) ? "count=exact" : "",
    resolution,
    // Of one row alone the library does the same as with defaults.
    isAdding && by.is(0.2) ? "missing=default" : "",
  ].filter(Boolean);
  return {
    asker,
    method,
    path: own(
      `${name}?${[...(isAdding ? conflict : filters), ...(isShown ? ["select=id"] : [])].join("&")}`,
    ),
    headers: {
      "content-type": "application/json",
      ...(prefer.length > 0 && { prefer: prefer.join(",") }),
      ...(isShown && by.is(0.3) && { accept: SINGLE }),
    },
    ...(method !== "DELETE" && { body: own(JSON.stringify(row)) }),
    isWriting: true,
  };
}

/** Requests that screens send, as the official client words them. */
function ofScreens(): Asked[] {
  const json = { "content-type": "application/json" };
  const shown = { ...json, prefer: "return=representation" };
  const read = (path: string, headers: Record<string, string> = {}): Asked => ({
    asker: "owner",
    method: "GET",
    path,
    headers,
    isWriting: false,
  });
  const write = (
    method: string,
    path: string,
    row: object | object[],
    headers: Record<string, string>,
  ): Asked => ({
    asker: "owner",
    method,
    path,
    headers,
    body: JSON.stringify(row),
    isWriting: true,
  });
  const reward = {
    org_id: "«0»",
    campaign_id: "«3»",
    name: "Thé",
    type: "gift",
    metadata: { item: "Thé" },
  };
  const campaign = {
    org_id: "«0»",
    store_id: "«1»",
    name: "Hiver",
    slug: "«12»-hiver",
    active: false,
  };
  const one = { ...shown, accept: SINGLE };
  const store = { id: "«1»", org_id: "«0»", name: "Le Grand Magasin" };
  const upsert = (kind: string, more = "return=representation") => ({
    ...json,
    prefer: `resolution=${kind}-duplicates, ${more}`,
  });
  return [
    read("stores?select=id,name,address,timezone&org_id=eq.«0»&archived_at=is.null&order=name.asc"),
    read("stores?select=id,version,name&id=eq.«1»", { accept: SINGLE }),
    read("stores?select=id,version,name&id=eq.»1«", { accept: SINGLE }),
    read("customers?select=name,email,created_at&order=email.desc&limit=1", {
      prefer: "count=exact",
    }),
    read("customers?order=email&limit=5&offset=1", { prefer: "count=exact" }),
    read("customers?order=email&offset=9", { prefer: "count=exact" }),
    read("redemptions?id=in.(«1»,«2»)&order=id"),
    // Functions that only read, by their address.
    read("rpc/my_workspace"),
    { ...read("rpc/my_workspace"), method: "HEAD" },
    read("rpc/my_workspace?p_unknown=1"),
    read("rpc/my_workspace", { prefer: "count=exact" }),
    { ...read("stores?select=name&order=name", { prefer: "count=exact" }), method: "HEAD" },
    // A name of the answer's that the statement uses itself.
    read("stores?select=answer:name,version&order=name"),
    write("PATCH", "stores?id=eq.«1»&select=answer:id", { address: "1 rue Neuve" }, shown),
    // Large numbers, and the edges of dates.
    read("stores?select=id&version=lt.2147483647&order=name"),
    read("stores?select=id&version=lt.2147483648&order=name"),
    read("campaigns?select=id&created_at=lt.infinity"),
    read("campaigns?select=id&created_at=gt.-infinity&created_at=lt.294277-01-01"),
    // Everything that one may change, and nothing of anybody else's.
    write("PATCH", "rewards", { active: true }, { ...json, prefer: "count=exact" }),
    { ...write("DELETE", "stores", {}, json), asker: "cashier" },
    { ...read("subscriptions?select=plan"), asker: "cashier" },
    write("POST", "rewards?select=id", reward, { ...shown, accept: SINGLE }),
    write("POST", "rewards", { ...reward, name: "Lait" }, { ...json, prefer: "return=minimal" }),
    write("POST", "campaigns", campaign, json),
    write("POST", "campaigns", campaign, json),
    write("PATCH", "rewards?id=eq.«4»&select=id", { active: false }, shown),
    write("PATCH", "stores?id=eq.«1»&version=eq.1&select=id", { address: "2 rue Neuve" }, shown),
    write("PATCH", "stores?id=eq.«1»&version=eq.1&select=id", { address: "3 rue Neuve" }, shown),
    write(
      "PATCH",
      "stores?id=eq.«2»&select=id,name",
      { name: "Loin" },
      { ...shown, accept: SINGLE },
    ),
    write(
      "PATCH",
      "organizations?id=eq.»0«",
      { name: "À moi" },
      { ...json, prefer: "count=exact" },
    ),
    write("PATCH", "stores?id=eq.«1»", { timezone: "Mars/Olympus" }, json),
    // A name of which both organisations make a slug, and a slug that they have.
    write("POST", "rpc/duplicate_campaign", { p_id: "«3»", p_name: "Deux, trois" }, json),
    write("POST", "campaigns", { ...campaign, slug: "«11»", name: "Quatre" }, json),
    write("PATCH", "stores?id=eq.«1»", { org_id: "»0«" }, json),
    // One row of several, where one alone is asked for: nothing is changed.
    write("PATCH", "stores?id=in.(«1»,«2»)&select=id", { address: "4 rue Neuve" }, one),
    // A limit means nothing in a write: all rows that the filters choose are changed.
    write(
      "PATCH",
      "stores?id=in.(«1»,«2»)&select=address&limit=1&offset=1",
      { address: "6 rue" },
      shown,
    ),
    write("PATCH", "stores?id=in.(«1»,«2»)&offset=2", { address: "7 rue Neuve" }, json),
    { ...write("DELETE", "rewards?id=eq.«4»&limit=0", {}, json), asker: "server" },
    write("POST", "rewards?limit=0&select=name", { ...reward, name: "Jus" }, shown),
    // Rows that are there already: for a program of the operator's, and for whom their columns are not to be written.
    ...["owner", "server"].flatMap((asker) =>
      ["merge", "ignore"].flatMap((kind) => [
        { ...write("POST", "stores?select=id,name", store, upsert(kind)), asker },
        { ...write("POST", "stores", [store], upsert(kind, "count=exact")), asker },
        {
          ...write(
            "POST",
            "stores?on_conflict=id",
            { ...store, address: "5 rue Neuve" },
            upsert(kind),
          ),
          asker,
        },
        { ...write("POST", "stores?on_conflict=name", store, upsert(kind)), asker },
      ]),
    ),
  ];
}

/** A reference to the tenant's things in a text, as the tenant knows them. */
function named(text: string, tenant: Tenant, other: Tenant): string {
  return text
    .replace(
      /(?:«|%C2%AB)(\d+)(?:»|%C2%BB)/g,
      (_, index: string) => tenant.identifiers[Number(index)] ?? "",
    )
    .replace(
      /(?:»|%C2%BB)(\d+)(?:«|%C2%AB)/g,
      (_, index: string) => other.identifiers[Number(index)] ?? "",
    );
}

/** The same without what differs between two of a kind, and from one moment to the next. */
function plain(text: string, tenant: Tenant): string {
  const seen = new Map<string, string>();
  return (
    [...tenant.identifiers, ...Object.values(tenant.organization.users).map(({ id }) => id)]
      .reduce((result, id, index) => result.replaceAll(id, `«${index}»`), text)
      .replaceAll(tenant.organization.slug, "«slug»")
      // Names that fixtures make up.
      .replace(/-\d+-[0-9a-f]{8}\b/g, "-«made up»")
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        if (!seen.has(id)) seen.set(id, `«new ${seen.size}»`);
        return seen.get(id) ?? "";
      })
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00(:00)?|Z)?/g, "«moment»")
      .replace(/\d{4}-\d\d-\d\d/g, "«day»")
      // A code without a template, and the words by which it is found.
      .replace(/\bwin[0-9a-z]{8}\b/gi, "«code»")
      // Secrets that a row is born with, in what PostgreSQL says of a row that it refuses.
      .replace(/\\x[0-9a-f]+/g, "«bytes»")
      // A slug's number, and those that it ends with: free slugs are sought among those of all organisations.
      .replace(/\b([a-z]+(?:-[a-z]+)*)-\d{1,3}(?![\w-])/g, "$1")
      .replace(/("slug":\s*")([a-z\d]+(?:-[a-z\d]+)*?)(?:-\d{1,3})+(?=")/g, "$1$2")
      // Time that is left: milliseconds of a till's screen, seconds of a limit.
      .replace(/("\w+_in_ms":|"details":")\d+/g, "$1«left»")
  );
}

/** JSON without what stands between its tokens: numbers and texts stay as they are written. */
function withoutBlanks(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

const HEADERS = [
  "content-type",
  "content-range",
  "content-location",
  "preference-applied",
  "proxy-status",
  "location",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "cache-control",
  "vary",
];

/** Answer to an asker, to the byte. */
async function answerTo(asked: Asked, tenant: Tenant, isOwnWay: boolean) {
  isExecuting = isOwnWay;
  const other = tenants[2];
  const response = await fetch(`${server.url}/rest/v1/${named(asked.path, tenant, other)}`, {
    method: asked.method,
    headers: { ...asked.headers, ...tenant.askers[asked.asker] },
    ...(asked.body !== undefined && { body: named(asked.body, tenant, other) }),
  });
  return { response, text: await response.text() };
}

/** Answer to an asker: status, headers, and the body as a reader of JSON sees it. */
async function send(asked: Asked, tenant: Tenant, isOwnWay: boolean) {
  const { response, text } = await answerTo(asked, tenant, isOwnWay);
  // The same rows of the same tenant: every digit counts.
  const seen = (told: string) => (asked.method === "GET" ? told : plain(told, tenant));
  const isJson = text !== "" && response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    headers: Object.fromEntries(
      HEADERS.map((name) => [name, seen(response.headers.get(name) ?? "")]),
    ),
    retries: response.headers.has("retry-after"),
    body: isJson ? seen(withoutBlanks(text)) : text,
  };
}

/** Everything of a tenant that requests may have written. */
async function leftBehind(tenant: Tenant): Promise<unknown> {
  const { sql } = server.database;
  const { id } = tenant.organization;
  const contents = await Promise.all(
    WRITTEN.map(
      (table) => sql<{ row: string }[]>`
        select to_jsonb(t)::text as row from ${sql(`public.${table}`)} t
        where ${sql(table === "organizations" ? "id" : "org_id")} = ${id}`,
    ),
  );
  return contents.map((rows) => rows.map(({ row }) => plain(row, tenant)).sort());
}

/** A request that the two ways answer differently, or that leaves something else behind. */
type Difference = { asked: Asked; ours: unknown; theirs: unknown };

/**
 * Both ways' answers to what only reads. Where they differ, one way is asked once more: what it no longer answers itself
 * has changed with the time (a day that ended, a code that turned), and both are asked again, at most three times.
 */
async function readBoth(asked: Asked, tenant: Tenant) {
  let ours = await send(asked, tenant, true);
  for (let turn = 1; ; turn += 1) {
    const theirs = await send(asked, tenant, false);
    if (turn === 3 || isDeepStrictEqual(ours, theirs)) return [ours, theirs] as const;
    const later = await send(asked, tenant, true);
    if (isDeepStrictEqual(ours, later)) return [ours, theirs] as const;
    ours = later;
  }
}

/** Sends requests both ways; answers what differs, and which statuses there were. */
async function compare(requests: readonly Asked[]) {
  const [one, twin] = tenants;
  const different: Difference[] = [];
  const statuses = new Set<number>();
  for (const asked of requests) {
    const [ours, theirs] = asked.isWriting
      ? [await send(asked, one, true), await send(asked, twin, false)]
      : await readBoth(asked, one);
    statuses.add(ours.status);
    if (!isDeepStrictEqual(ours, theirs)) different.push({ asked, ours, theirs });
    if (!asked.isWriting) continue;
    const left = await leftBehind(one);
    const leftByTwin = await leftBehind(twin);
    if (isDeepStrictEqual(left, leftByTwin)) continue;
    different.push({ asked, ours: left, theirs: leftByTwin });
    // Whatever follows would differ by that alone.
    break;
  }
  return { different, statuses: [...statuses] };
}

const COUNT = rounds({ quick: 70, deep: 340 });

describe("both ways of the data API", () => {
  it("answer what screens send alike", async () => {
    const { different, statuses } = await compare(ofScreens());
    expect(different).toEqual([]);
    expect(statuses).toEqual(expect.arrayContaining([200, 201, 204, 206, 400, 403, 406, 416]));
  });

  it.each([
    ["calls of functions", makeCall],
    ["reads of tables", makeRead],
    ["writes of tables", makeWrite],
  ] as const)(`answer ${COUNT} %s alike`, async (_, make) => {
    const by = chance(SEED);
    const { different, statuses } = await compare(Array.from({ length: COUNT }, () => make(by)));
    expect(different).toEqual([]);
    expect(statuses).toContain(401);
    expect(statuses.some((status) => status < 300)).toBe(true);
  });

  it.each<[string, Parameters<typeof tokenOf>[1], number]>([
    ["as the service signs it", {}, 200],
    ["that has ended", { claims: { exp: at(-1) } }, 401],
    ["that begins later", { claims: { nbf: at(3600) } }, 401],
    ["that was issued later", { claims: { iat: at(3600) } }, 401],
    ["of another secret", { secret: "x".repeat(40) }, 401],
    ["signed otherwise", { secret: "x".repeat(64), header: { alg: "HS512" } }, 401],
    ["of a role that requests have none of", { claims: { role: "postgres" } }, 403],
    ["of a role that is none", { claims: { role: "authenticated'; reset role; --" } }, 400],
    ["of nobody in particular", { claims: { sub: undefined } }, 200],
    ["of somebody who is no identifier", { claims: { sub: "x'; --" } }, 400],
  ])("take a token %s alike", async (_, parts, status) => {
    const [one] = tenants;
    const authorization = `Bearer ${await tokenOf(one.organization.users.owner.id, parts)}`;
    const askers = { ...one.askers, token: { ...one.askers.nobody, authorization } };
    const asked = { asker: "token", method: "GET", path: "stores?select=name", headers: {} };
    const answers = [];
    for (const isOwnWay of [true, false]) {
      answers.push(await send({ ...asked, isWriting: false }, { ...one, askers }, isOwnWay));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(status);
  });
});

describe("what is plain does not reach the library", () => {
  beforeAll(async () => {
    for (const { organization } of tenants) {
      for (const name of ["Étage", "Étage 2", "Étage 3", "Porte", "Porte"]) {
        await createStore(server.database.sql, { orgId: organization.id, name });
      }
    }
  });

  it.each([
    "",
    "timezone=eq.Europe/Paris",
    "timezone=neq.Mars",
    "name=gt.A&name=lt.Z",
    "created_at=gte.2020-01-01&created_at=lte.2100-01-01",
    "name=like.%C3%89tage*",
    "name=not.ilike.*x*",
    "name=in.(%C3%89tage,%C3%89tage%202)",
    "archived_at=is.null",
    "name=not.is.null",
    "limit=2",
    "select=id&order=id",
    "select=title:name&order=name.desc.nullslast&offset=1",
  ])("%s", async (query) => {
    expect(await breaksLines(query, {})).toEqual([true, false]);
  });

  const one = { name: "Un", address: "1 rue Neuve", slug: "un", org_id: "«0»" };
  const two = { ...one, slug: "deux" };
  it.each<[string, string, "owner" | "server", object | null, string]>([
    ["PATCH", "name=like.%C3%89tage*", "owner", { address: "2 rue Neuve" }, ""],
    ["POST", "columns=org_id,name,slug,address", "server", [one, two], "missing=default"],
    [
      "POST",
      "columns=id,org_id,name,slug,address",
      "server",
      [
        { ...one, id: "«1»", slug: "trois" },
        { ...two, id: "«2»", slug: "quatre" },
      ],
      "missing=default,resolution=merge-duplicates",
    ],
    ["DELETE", "name=eq.Porte&org_id=eq.«0»", "server", null, ""],
  ])("%s %s", async (method, query, asker, given, preference) => {
    const prefer = ["return=representation", preference].filter(Boolean).join(",");
    const answers = await breaksLines(`select=name&${query}`, {
      method,
      asker,
      headers: { "content-type": "application/json", prefer },
      ...(given && { body: JSON.stringify(given) }),
    });
    expect(answers).toEqual([true, false]);
  });

  /** Whether the answers have a line a row, by the executor and by the library: PostgreSQL writes them so. */
  async function breaksLines(query: string, asked: Partial<Asked>): Promise<boolean[]> {
    const answers: boolean[] = [];
    for (const way of [true, false]) {
      const { response, text } = await answerTo(
        {
          asker: "owner",
          method: "GET",
          headers: {},
          isWriting: true,
          ...asked,
          path: `stores?${query}`,
        },
        tenants[way ? 0 : 1],
        way,
      );
      expect([response.ok, text]).toEqual([true, text]);
      answers.push(text.includes("\n"));
    }
    return answers;
  }
});
