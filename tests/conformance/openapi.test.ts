import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createApiKey, createOrganization, type Organization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Description that the data API gives of itself: all that a role may use, and nothing else. */

const described = z.object({
  swagger: z.literal("2.0"),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
  definitions: z.record(
    z.string(),
    z.looseObject({ properties: z.record(z.string(), z.looseObject({})) }),
  ),
  parameters: z.record(z.string(), z.looseObject({})),
});

let server: TestServer;
let organization: Organization;
/** Headers by which each asker is known. */
let askers: Readonly<Record<"member" | "key" | "server", Record<string, string>>>;

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  organization = await createOrganization(sql);
  await sql.unsafe(`
    create table public.half_open (id int primary key, shown text, kept_back text, added text default 'x');
    grant select (id, shown), insert (added) on public.half_open to authenticated;
    create table public.shut (id int primary key, of_half int references public.half_open);
    create function public.shut_function(p_secret text) returns int language sql stable set search_path = '' as 'select 1';
    revoke execute on function public.shut_function(text) from public, anon, authenticated;
    create function public.no_body(p_whole int, int) returns int language sql stable set search_path = '' as 'select 1';
    grant execute on function public.no_body(int, int) to authenticated;`);
  const { secrets } = server.running;
  const { token } = await server.signIn(organization.users.owner);
  const { key } = await createApiKey(sql, { orgId: organization.id });
  askers = {
    member: { apikey: secrets.publishableKey, authorization: `Bearer ${token}` },
    key: { apikey: key },
    server: { apikey: secrets.secretKey },
  };
});

afterAll(() => server.stop());

function ask(headers: Record<string, string>, method = "GET") {
  return fetch(`${server.url}/rest/v1/`, { method, headers });
}

/**
 * Names of the schema that a role may use, and those that it may not, as PostgreSQL's own functions tell them. A name that a
 * column of a table bears as well says nothing.
 */
async function namesOf(role: string) {
  const rows = await server.database.sql<{ name: string; may_use: boolean; kind: string }[]>`
    select c.relname as name, 'table' as kind,
      has_any_column_privilege(${role}, c.oid, 'select, insert, update') as may_use
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p', 'm')
    union all
    select p.proname, 'function', bool_or(has_function_privilege(${role}, p.oid, 'execute'))
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
      and p.proname <> 'no_body'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      and not exists (
        select from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and a.attname = p.proname)
    group by p.proname`;
  const path = ({ kind, name }: { kind: string; name: string }) =>
    kind === "table" ? `/${name}` : `/rpc/${name}`;
  return {
    used: rows.filter((row) => row.may_use).map(path),
    kept: rows.filter((row) => !row.may_use),
  };
}

it.each([
  ["member", "authenticated"],
  ["key", "authenticated"],
  ["server", "service_role"],
] as const)("a %s sees what its role may use, and no name of anything else", async (who, role) => {
  const response = await ask(askers[who]);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/openapi+json; charset=utf-8");
  const text = await response.text();
  const { paths } = described.parse(JSON.parse(text));
  const { used, kept } = await namesOf(role);
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/", ...used]));
  const words = new Set(text.match(/\w+/g));
  expect(kept.map(({ name }) => name).filter((name) => words.has(name))).toEqual([]);
  if (who !== "server") expect(kept.length).toBeGreaterThan(1);
  expect(words).not.toContain("no_body");
});

it.each(["member", "key", "server"] as const)(
  "the description of a %s follows the schema of OpenAPI 2.0, as somebody else reads it",
  async (who) => {
    const document = z.looseObject({}).parse(await (await ask(askers[who])).json());
    expect(await new Validator().validate(document)).toEqual({ valid: true });
  },
);

it("lists of a table the requests and the columns that a role has a privilege on", async () => {
  const { paths, definitions, parameters } = described.parse(
    await (await ask(askers.member)).json(),
  );
  expect(Object.keys(paths["/half_open"] ?? {}).sort()).toEqual(["get", "post"]);
  expect(Object.keys(definitions.half_open?.properties ?? {})).toEqual(["id", "shown", "added"]);
  expect(parameters["rowFilter.half_open.kept_back"]).toBeUndefined();
  const references = JSON.stringify(paths).match(/#\/(parameters|definitions)\/[\w.]+/g) ?? [];
  const known = [
    ...Object.keys(parameters).map((name) => `#/parameters/${name}`),
    ...Object.keys(definitions).map((name) => `#/definitions/${name}`),
  ];
  expect(references.filter((reference) => !known.includes(reference))).toEqual([]);
  expect(definitions.stores?.properties.org_id?.description).toContain(
    "<fk table='organizations' column='id'/>",
  );
});

it("offers GET of functions that change nothing alone, with their arguments", async () => {
  const { paths } = described.parse(await (await ask(askers.member)).json());
  expect(Object.keys(paths["/rpc/my_workspace"] ?? {})).toContain("post");
  const volatile = await server.database.sql<{ name: string }[]>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and provolatile = 'v'`;
  const offered = volatile.filter(({ name }) => paths[`/rpc/${name}`]?.get);
  expect(offered).toEqual([]);
});

it.each([
  ["nobody", {}, 401],
  ["who brings the public key alone", { isPublic: true }, 401],
  ["who brings a token that is none", { isPublic: true, authorization: "Bearer x.y.z" }, 401],
] as const)(
  "%s gets no description",
  async (_, {
    isPublic,
    authorization,
  }: {
    isPublic?: boolean;
    authorization?: string;
  }, status) => {
    const response = await ask({
      ...(isPublic && { apikey: server.running.secrets.publishableKey }),
      ...(authorization && { authorization }),
    });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toMatch(/stores|definitions/);
  },
);

it("HEAD is the same without the document, and another schema is none", async () => {
  const head = await ask(askers.member, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const other = await ask({ ...askers.member, "accept-profile": "auth" });
  expect(other.status).toBe(406);
  expect(await other.json()).toMatchObject({ code: "PGRST106" });
});
