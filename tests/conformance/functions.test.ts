import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Functions and tables of kinds that our own schema has none of, asked for as PostgREST's documentation says. */

let server: TestServer;
let token: string;
/** The official client, without our types: it calls functions that only this file has. */
let client: SupabaseClient;

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  const organization = await createOrganization(sql);
  await sql.unsafe(`
    alter default privileges in schema public grant execute on functions to authenticated;
    create table public.boxes (
      id int primary key, name text, made_by text not null default 'somebody', parent_id int references public.boxes);
    create table public.users (id int primary key, name text);
    create table public.notes (id int primary key, user_id int references public.users);
    grant all on public.boxes, public.users, public.notes to authenticated;
    create table public.own (id int primary key, owner uuid default auth.uid(), mark text default 'kept');
    alter table public.own enable row level security;
    create policy own on public.own to authenticated using (true) with check (owner = auth.uid());
    grant select, insert (id, owner) on public.own to authenticated;
    insert into public.boxes values (1, 'large', 'a', null), (2, 'small', 'b', 1), (3, 'tiny', 'b', 1), (4, 'alone', 'c', 2);
    insert into public.users values (7, 'Ana');
    insert into public.notes values (1, 7);
    create function public.chosen(a int) returns text language sql stable set search_path = '' as $$ select 'by a ' || a $$;
    create function public.chosen(b text) returns text language sql stable set search_path = '' as $$ select 'by b ' || b $$;
    create function public.chosen(b text, c int default 1) returns text language sql stable set search_path = ''
      as $$ select 'never' $$;
    create function public.shortest_first(b text, c int default 1, d int default 1) returns int language sql stable
      set search_path = '' as $$ select 3 $$;
    create function public.shortest_first(b text, c int default 1) returns int language sql stable
      set search_path = '' as $$ select 2 $$;
    create function public.shortest_first(b text) returns int language sql stable set search_path = '' as $$ select 1 $$;
    create function public.closed(a int) returns text language sql stable set search_path = '' as $$ select 'open' $$;
    create function public.closed(b text) returns text language sql stable set search_path = '' as $$ select 'secret' $$;
    revoke execute on function public.closed(text) from authenticated, public;
    create function public.unnamed_json(json) returns json language sql stable set search_path = '' as $$ select $1 $$;
    create function public.unnamed_text(text) returns text language sql stable set search_path = '' as $$ select 'text ' || $1 $$;
    create function public.unnamed_text(int) returns text language sql stable set search_path = '' as $$ select 'never' $$;
    create function public.unnamed_int(int) returns int language sql stable set search_path = '' as $$ select $1 $$;
    create function public.name_of(p_box public.boxes) returns text language sql stable set search_path = ''
      as $$ select p_box.id || ' ' || coalesce(p_box.name, 'nameless') $$;
    create function public.inside(p_box public.boxes) returns setof public.boxes language sql stable set search_path = ''
      as $$ select * from public.boxes where parent_id = p_box.id order by id $$;
    create function public.many(p_count int) returns setof int language sql stable set search_path = ''
      as $$ select generate_series(1, p_count) $$;
    create function public.make_box(p_id int) returns setof public.boxes language sql volatile set search_path = ''
      as $$ insert into public.boxes (id, name) values (p_id, 'made') returning * $$;
    create function public.plain_volatile() returns int language sql volatile set search_path = '' as $$ select 5 $$;`);
  const signedIn = await server.signInUntyped(organization.users.owner);
  token = signedIn.token;
  client = signedIn.client;
});

afterAll(() => server.stop());

async function ask(path: string, init: { method?: string; prefer?: string; body?: string } = {}) {
  const response = await fetch(`${server.url}/rest/v1/${path}`, {
    method: init.method ?? "GET",
    headers: {
      apikey: server.running.secrets.publishableKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(init.prefer && { prefer: init.prefer }),
    },
    ...(init.body !== undefined && { body: init.body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

describe("a function of several", () => {
  it("is the one whose arguments are named", async () => {
    expect(await client.rpc("chosen", { a: 1 })).toMatchObject({ status: 200, data: "by a 1" });
    expect(await client.rpc("chosen", { a: 1 }, { get: true })).toMatchObject({ data: "by a 1" });
    const both = { b: "x", c: 2 };
    expect(await client.rpc("chosen", both)).toMatchObject({ status: 200, data: "never" });
  });

  it("is refused where the names mean two of them, which are listed", async () => {
    for (const get of [false, true]) {
      expect(await client.rpc("chosen", { b: "x" }, { get })).toMatchObject({
        status: 300,
        error: {
          code: "PGRST203",
          message:
            "Could not choose the best candidate function between: public.chosen(b => text), public.chosen(b => text, c => integer)",
          details: null,
        },
      });
    }
  });

  it("lists them from the fewest arguments on", async () => {
    const { error } = await client.rpc("shortest_first", { b: "x" });
    expect(error?.message.match(/\(b.*?\)/g)).toEqual([
      "(b => text)",
      "(b => text, c => integer)",
      "(b => text, c => integer, d => integer)",
    ]);
  });

  it("is not called by who may not call it", async () => {
    expect(await client.rpc("closed", { a: 1 })).toMatchObject({ status: 200, data: "open" });
    for (const get of [false, true]) {
      const refused = await client.rpc("closed", { b: "x" }, { get });
      expect(refused).toMatchObject({ status: 403, data: null, error: { code: "42501" } });
    }
  });
});

describe("an argument without a name", () => {
  it("is the whole body, or what is given an empty name", async () => {
    expect(await client.rpc("unnamed_json", { any: [1] })).toMatchObject({ data: { any: [1] } });
    expect(await client.rpc("unnamed_text", { "": "x" })).toMatchObject({ data: "text x" });
  });

  it("of another type than those of bodies is none: nobody can call the function", async () => {
    const refused = await client.rpc("unnamed_int", { "": 1 });
    expect(refused).toMatchObject({ status: 404, error: { code: "PGRST202" } });
  });
});

describe("an argument that is a row of a table", () => {
  it("is an object, whose missing fields are null", async () => {
    const whole = { id: 1, name: 'so "large", (a)', made_by: "x", parent_id: null };
    expect(await client.rpc("name_of", { p_box: whole })).toMatchObject({
      data: '1 so "large", (a)',
    });
    expect(await client.rpc("name_of", { p_box: { id: 2 } })).toMatchObject({ data: "2 nameless" });
    const inside = await client
      .rpc("inside", { p_box: { id: 1 } })
      .select("id")
      .eq("name", "tiny");
    expect(inside).toMatchObject({ error: null, data: [{ id: 3 }] });
  });
});

describe("a function that is read", () => {
  it("answers GET, and HEAD without a body", async () => {
    expect(await ask("rpc/many?p_count=3")).toMatchObject({ status: 200, body: [1, 2, 3] });
    const head = await ask("rpc/many?p_count=3", { method: "HEAD", prefer: "count=exact" });
    expect(head).toMatchObject({ status: 200, body: "" });
    expect(head.headers.get("content-range")).toBe("0-2/3");
    const counted = await client.rpc("chosen", { a: 1 }, { head: true, count: "exact" });
    expect(counted).toMatchObject({ status: 200, count: 1, data: null, error: null });
  });

  it("says how many there are beyond those that it answers", async () => {
    const counted = await ask("rpc/many?p_count=1200", { prefer: "count=exact" });
    expect(counted.status).toBe(206);
    expect(counted.headers.get("content-range")).toBe("0-999/1200");
    expect(counted.headers.get("preference-applied")).toBe("count=exact");
  });

  it.each(["GET", "HEAD"])("changes nothing by %s", async (method) => {
    const refused = await ask("rpc/make_box?p_id=50", { method });
    expect(refused).toMatchObject({ status: 405 });
    expect(refused.headers.get("proxy-status")).toBe("PostgREST; error=25006");
    expect(await server.database.sql`select from public.boxes where id = 50`).toHaveLength(0);
  });

  it("may be volatile, as long as it only reads", async () => {
    expect(await ask("rpc/plain_volatile")).toMatchObject({ status: 200, body: 5 });
  });

  it("is run once, though its rows are counted", async () => {
    const made = await ask("rpc/make_box", {
      method: "POST",
      prefer: "count=exact",
      body: JSON.stringify({ p_id: 60 }),
    });
    expect(made).toMatchObject({ status: 200, body: [{ id: 60, made_by: "somebody" }] });
    expect(made.headers.get("content-range")).toBe("0-0/1");
    await server.database.sql`delete from public.boxes where id = 60`;
  });
});

describe("a function that may answer so many rows", () => {
  const prefer = (most: number) => ({
    method: "POST",
    prefer: `handling=strict,max-affected=${most}`,
    body: JSON.stringify({ p_id: 70 }),
  });

  it("does what it does within them, and nothing beyond", async () => {
    const { sql } = server.database;
    expect(await ask("rpc/make_box", prefer(0))).toMatchObject({
      status: 400,
      body: { code: "PGRST124", details: "The query affects 1 rows" },
    });
    expect(await sql`select from public.boxes where id = 70`).toHaveLength(0);
    const made = await ask("rpc/make_box?select=*", prefer(1));
    expect(made).toMatchObject({ status: 200, body: [{ id: 70 }] });
    expect(made.headers.get("preference-applied")).toBe("handling=strict, max-affected=1");
    expect(await sql`delete from public.boxes where id = 70 returning id`).toHaveLength(1);
  });

  it("answers some at all", async () => {
    const options = { ...prefer(1), body: "{}" };
    expect(await ask("rpc/plain_volatile", options)).toMatchObject({
      status: 400,
      body: { code: "PGRST128" },
    });
  });

  it("tells what it refuses itself, and leaves its connection free for others", async () => {
    for (let count = 0; count < 12; count += 1) {
      const twice = { ...prefer(5), body: JSON.stringify({ p_id: 1 }) };
      expect(await ask("rpc/make_box", twice)).toMatchObject({
        status: 409,
        body: { code: "23505" },
      });
    }
    expect(await ask("rpc/plain_volatile")).toMatchObject({ status: 200, body: 5 });
  });
});

describe("a list of rows that do not all name the same", () => {
  const rows = [{ id: 80 }, { id: 81, made_by: "x", name: null }, { id: 82, name: "n" }];

  afterEach(async () => {
    await server.database.sql`delete from public.boxes where id >= 80`;
  });

  it("is stored with the defaults of what they leave out", async () => {
    const stored = await client.from("boxes").insert(rows, { defaultToNull: false }).select();
    expect(stored).toMatchObject({ status: 201, error: null });
    expect(stored.data).toEqual([
      { id: 80, name: null, made_by: "somebody", parent_id: null },
      { id: 81, name: null, made_by: "x", parent_id: null },
      { id: 82, name: "n", made_by: "somebody", parent_id: null },
    ]);
    const plain = await client.from("boxes").insert([{ id: 90 }], { defaultToNull: false });
    expect(plain).toMatchObject({ status: 201, error: null });
  });

  it("is stored whole, or not at all", async () => {
    const twice = [...rows, { id: 1, name: "taken" }];
    const refused = await client.from("boxes").insert(twice, { defaultToNull: false });
    expect(refused).toMatchObject({ status: 409, error: { code: "23505" } });
    const { sql } = server.database;
    expect(await sql`select from public.boxes where id >= 80`).toHaveLength(0);
  });

  it("is held to the policies and the columns of who stores it", async () => {
    const { sql } = server.database;
    const stranger = "0b0c2d3e-4f50-4a61-8b72-9c83ad94be05";
    const store = (given: object[]) => client.from("own").insert(given, { defaultToNull: false });
    expect(await store([{ id: 1 }, { id: 2, owner: stranger }])).toMatchObject({
      status: 403,
      error: { code: "42501" },
    });
    expect(await store([{ id: 1 }, { id: 2, mark: "mine" }])).toMatchObject({ status: 403 });
    expect(await sql`select from public.own`).toHaveLength(0);
    expect(await store([{ id: 1 }])).toMatchObject({ status: 201 });
    expect(await sql`select mark from public.own`).toEqual([{ mark: "kept" }]);
  });
});

describe("a table within itself", () => {
  it.each(["boxes(id)", "boxes!parent_id(id)"])(
    "%s is the rows that refer to it",
    async (embed) => {
      const { body } = await ask(`boxes?select=id,${embed}&order=id&boxes.order=id`);
      expect(body).toEqual([
        { id: 1, boxes: [{ id: 2 }, { id: 3 }] },
        { id: 2, boxes: [{ id: 4 }] },
        { id: 3, boxes: [] },
        { id: 4, boxes: [] },
      ]);
    },
  );

  it("by the name of its column is the row that it refers to", async () => {
    const { body } = await ask("boxes?select=id,parent:parent_id(id)&id=in.(1,4)&order=id");
    expect(body).toEqual([
      { id: 1, parent: null },
      { id: 4, parent: { id: 2 } },
    ]);
  });
});

describe("a table that another schema has one of the same name of", () => {
  it("is embedded with its own columns", async () => {
    const embedded = await ask("notes?select=id,users(*)");
    expect(embedded).toMatchObject({
      status: 200,
      body: [{ id: 1, users: { id: 7, name: "Ana" } }],
    });
  });
});
