import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { loginRoleName } from "../../server/postgres/login-role.ts";
import { createOrganization, createUser, type Organization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let organization: Organization;

/** Everything that the three roles and everybody may do, object by object. */
async function readPrivileges(): Promise<string[]> {
  const rows = await server.database.sql<{ line: string }[]>`
    select format('%s %s.%s: %s', c.relkind, n.nspname, c.relname, c.relacl) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private', 'auth', 'supabase_migrations') and c.relkind in ('r', 'v', 'm', 'S', 'p')
    union all
    select format('column %s.%s.%s: %s', n.nspname, c.relname, a.attname, a.attacl)
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where a.attacl is not null and n.nspname not like 'pg_%'
    union all
    select format('schema %s: %s', nspname, nspacl) from pg_namespace
    union all
    select format('default %s %s: %s', defaclobjtype, defaclnamespace::regnamespace, defaclacl)
    from pg_default_acl
    order by line`;
  return rows.map(({ line }) => line);
}

beforeAll(async () => {
  server = await startTestServer();
  organization = await createOrganization(server.database.sql);
});
afterAll(() => server.stop());

const key = () => server.running.secrets.publishableKey;

function ask(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  return fetch(`${server.url}${path}`, { ...init, headers: { apikey: key(), ...init.headers } });
}

const failure = z.object({ code: z.string() });

describe("Supabase Lite", () => {
  it("widens nobody's rights, neither at its first request nor later", async () => {
    const before = await readPrivileges();
    expect(before.length).toBeGreaterThan(20);
    const { client } = await server.signIn(organization.users.owner);
    expect((await client.from("campaigns").select("id")).error).toBeNull();
    await ask("/rest/v1/campaigns?select=id");
    expect(await readPrivileges()).toEqual(before);
  });

  it("could not widen them if it tried", async () => {
    const before = await readPrivileges();
    const role = loginRoleName(server.database.name);
    await server.database.sql.begin(async (sql) => {
      await sql`set local role ${sql(role)}`;
      // Statements that its PostgreSQL driver runs on its first request, schema by schema.
      for (const statement of [
        "grant all on all tables in schema public to anon, authenticated, service_role",
        "grant all on all sequences in schema public to anon, authenticated, service_role",
        "grant usage on schema private to anon",
        "alter default privileges in schema public grant all on tables to anon",
        "create role intruder superuser",
      ]) {
        await sql.savepoint((inner) => inner.unsafe(statement)).catch(() => undefined);
      }
    });
    expect((await readPrivileges()).filter((line) => !line.startsWith("default "))).toEqual(
      before.filter((line) => !line.startsWith("default ")),
    );
    expect(await server.database.sql`select from pg_roles where rolname = 'intruder'`).toHaveLength(
      0,
    );
  });

  it("logs in as an account that owns nothing and may become three roles only", async () => {
    const role = loginRoleName(server.database.name);
    const [account] = await server.database.sql`
      select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
        (select array_agg(g.rolname::text order by 1) from pg_auth_members m
          join pg_roles g on g.oid = m.roleid where m.member = r.oid) as groups,
        (select count(*)::int from pg_class c where c.relowner = r.oid) as owned
      from pg_roles r where rolname = ${role}`;
    expect(account).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
      rolreplication: false,
      groups: ["anon", "authenticated", "service_role"],
      owned: 0,
    });
  });

  it("speaks the codes of the platform", async () => {
    const { client } = await server.signIn(organization.users.owner);
    const single = await client.from("campaigns").select("id").eq("slug", "aucune").single();
    expect(single.error?.code).toBe("PGRST116");
    const store = await client
      .from("stores")
      .select("name, slug, address")
      .eq("id", organization.storeId)
      .single();
    const twice = await client.from("stores").insert({
      org_id: organization.id,
      name: "Le même",
      slug: store.data?.slug ?? "",
      address: "2 rue de la Paix",
    });
    expect(twice.error?.code).toBe("23505");
    const anonymous = await server.client().from("campaigns").select("id");
    expect(anonymous.error?.code).toBe("42501");
  });

  it.each([
    ["without a key", "/rest/v1/campaigns", { apikey: "" }],
    ["with a wrong key", "/rest/v1/campaigns", { apikey: "sb_publishable_faux" }],
    ["with a forged session", "/rest/v1/campaigns", { authorization: "Bearer a.b.c" }],
  ])("answers 401 %s", async (_, path, headers) => {
    expect((await ask(path, { headers })).status).toBe(401);
  });

  it.each([
    ["the public key", () => server.running.secrets.publishableKey],
    [
      "a token without a signature",
      () => `${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`,
    ],
  ])("takes nothing apart of whoever has %s alone", async (_, bearer) => {
    const response = await ask("/rest/v1/stores", {
      method: "POST",
      headers: { authorization: `Bearer ${bearer()}`, "content-type": "application/json" },
      body: "{ no JSON",
    });
    expect(response.status).toBe(401);
    expect(failure.parse(await response.json()).code).toBe("42501");
  });

  it("takes no table written as text", async () => {
    const { token } = await server.signIn(organization.users.owner);
    const response = await ask("/rest/v1/customers", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
      body: `name\n${"a\n".repeat(1_000)}`,
    });
    expect(response.status).toBe(415);
    expect(failure.parse(await response.json()).code).toBe("PGRST102");
  });

  it("takes no heap of filters within filters apart", async () => {
    const { token } = await server.signIn(organization.users.owner);
    const filtered = async (depth: number) => {
      const filter = `${"and(".repeat(depth)}name.eq.a${")".repeat(depth)}`;
      const response = await ask(`/rest/v1/stores?select=id&or=(${filter})`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return response.status;
    };
    expect(await filtered(20)).toBe(200);
    expect(await filtered(50)).toBe(400);
  });

  it("never takes anybody for an administrator", async () => {
    const response = await fetch(`${server.url}/rest/v1/organizations`, {
      headers: { origin: server.url, host: "localhost" },
    });
    expect(response.status).toBe(401);
  });

  it.each([
    "/_system/ping",
    "/_system/config",
    "/_system/introspect",
    "/storage/v1/bucket",
    "/studio",
  ])("leaves %s out", async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it("makes a new account wait for its address to be confirmed", async () => {
    const signedUp = await server
      .client()
      .auth.signUp({ email: "nouvelle@exemple.fr", password: "mot-de-passe" });
    expect(signedUp.error).toBeNull();
    expect(signedUp.data.session).toBeNull();
    const signIn = await server
      .client()
      .auth.signInWithPassword({ email: "nouvelle@exemple.fr", password: "mot-de-passe" });
    expect(signIn.error?.code).toBe("email_not_confirmed");
  });

  it.each([
    ["/rest/v1/rpc/dashboard", "announced"],
    ["/auth/v1/signup", "announced"],
    ["/auth/v1/signup", "in pieces"],
    // The router behind reads an address as it is meant.
    ["/%61uth/v1/signup", "announced"],
  ])("%s reads no body over 64 KiB, %s", async (path, how) => {
    const text = JSON.stringify({ email: "a".repeat(70_000) });
    const response = await ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: how === "announced" ? text : new Blob([text]).stream(),
      // @ts-expect-error: Node asks for it, its types do not know it yet.
      duplex: "half",
    });
    expect(response.status).toBe(413);
    expect(failure.parse(await response.json()).code).toBe("body_too_large");
  });

  it("gives server functions the user of a session, and of nothing else", async () => {
    const stranger = await createUser(server.database.sql);
    const { token } = await server.signIn(stranger);
    const body = { code: "AUCUN", store_id: organization.storeId };
    expect((await server.call("redeem", body, { token })).status).toBe(403);
    const [head, payload, signature] = token.split(".");
    const forged = JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
    const other = Buffer.from(
      JSON.stringify({ ...forged, sub: organization.users.owner.id }),
    ).toString("base64url");
    for (const bad of [
      `${head}.${other}.${signature}`,
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${other}.`,
      key(),
      "",
    ]) {
      expect((await server.call("redeem", body, { token: bad })).status).toBe(401);
    }
  });
});
