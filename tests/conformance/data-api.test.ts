import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createOrganization, type Organization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/**
 * The data API beside the program whose protocol it speaks: refusals have the status that PostgREST's documentation
 * gives to their SQLSTATE, arguments and answers are what PostgreSQL's own JSON functions make of them.
 */

let server: TestServer;
let organization: Organization;
let token: string;
/** The official client, without our types: it calls functions that only this file has. */
let client: SupabaseClient;

/** Every type of argument: its name, its type, and what is sent. */
const ARGUMENTS: readonly (readonly [name: string, type: string, values: readonly unknown[]])[] = [
  ["a_json", "json", [{ a: [1, null] }, [true, false], "word", "[1]", '"quoted"', 7, true, null]],
  ["a_jsonb", "jsonb", [{ a: [1, null] }, [true, false], [], "word", "{}", 7.5, false, null]],
  ["a_text", "text", ["x", "", 5, true, { a: 1 }, null]],
  ["a_boolean", "boolean", [true, false, "true", "t", "no", null]],
  ["an_integer", "integer", [5, "5", null]],
  ["a_bigint", "bigint", [9007199254740991, "9007199254740991"]],
  ["a_numeric", "numeric", [12.5, "12.50", "NaN"]],
  ["a_float", "float8", [1e300, "Infinity"]],
  ["a_date", "date", ["2026-11-22"]],
  ["a_moment", "timestamptz", ["2026-11-22T13:49:01.946637+02:00", "infinity"]],
  ["an_interval", "interval", ["1 day 02:00"]],
  ["a_uuid", "uuid", ["0b0c2d3e-4f50-4a61-8b72-9c83ad94be05"]],
  ["some_bytes", "bytea", ["\\x0aff"]],
  ["some_words", "text[]", [["a", 'b"c\\,d}', null, "NULL", ""], [], "{x,y}"]],
  [
    "some_numbers",
    "integer[]",
    [
      [1, 2],
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ],
  ["some_truths", "boolean[]", [[true, false, null]]],
  ["some_objects", "jsonb[]", [[{ a: "b" }, [1], null]]],
  ["a_place", "public.place", [{ x: 1, name: 'so "far"', tags: ["a"] }, null]],
];

/** Samples of what tables hold, each as its literal. */
const COLUMNS = {
  moment: ["timestamptz", "2026-11-22 13:49:01.946637+00"],
  whole_moment: ["timestamptz", "2026-11-22 13:49:01+00"],
  ancient: ["timestamptz", "0044-03-15 12:00:00+00 BC"],
  endless: ["timestamptz", "infinity"],
  local: ["timestamp", "2026-11-22 13:49:01.5"],
  day: ["date", "2026-11-22"],
  hour: ["time", "13:49:01"],
  zoned_hour: ["timetz", "13:49:01+02"],
  span: ["interval", "1 day 02:00"],
  price: ["numeric(10,2)", "12.50"],
  no_number: ["numeric", "NaN"],
  large: ["int8", "9007199254740991"],
  ratio: ["float8", "0.1"],
  infinite: ["float8", "-Infinity"],
  small: ["int2", "7"],
  truth: ["bool", "true"],
  bytes: ["bytea", "\\x0aff"],
  document: ["json", '{"a": [1, null, "x"]}'],
  binary_document: ["jsonb", '"word"'],
  nothing: ["jsonb", null],
  words: ["text[]", '{a,"b c",NULL}'],
  moments: ["timestamptz[]", '{"2026-11-22 13:49:01+00"}'],
  prices: ["numeric[]", "{1.50,2}"],
  range: ["tstzrange", '["2026-11-22 13:49:01+00",)'],
  address: ["inet", "10.0.0.1"],
} as const;

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  organization = await createOrganization(sql);
  const columns = Object.entries(COLUMNS)
    .map(([name, [type]]) => `${name} ${type}`)
    .join(", ");
  await sql.unsafe(`
    alter default privileges in schema public grant execute on functions to authenticated;
    create function public.refuse(p_code text) returns void language plpgsql set search_path = '' as $$
    begin
      raise exception 'what happened' using errcode = p_code, detail = 'in detail', hint = 'what to do';
    end $$;
    create function public.refuse_barely(p_code text) returns void language plpgsql set search_path = '' as $$
    begin
      raise exception 'what happened' using errcode = p_code;
    end $$;
    create table private.kept (secret text, size int check (size > 0));
    create function public.keep(p_size int) returns void language sql security definer set search_path = '' as
      $$insert into private.kept values ('what nobody may read', p_size)$$;
    create function public.wait_for_others() returns void language sql volatile set search_path = '' as
      'select pg_advisory_xact_lock_shared(4711)';
    create type public.place as (x int, name text, tags text[]);
    create table public.samples (id int primary key, parent_id int references public.samples, ${columns});
    create function public.write_something() returns int language sql volatile set search_path = '' as
      'insert into public.samples (id) values (99) returning id';
    create function public.sample_rows() returns setof public.samples language sql stable set search_path = '' as
      'select * from public.samples where id = 1';
    grant all on public.samples to authenticated;
    create table public.said (id int primary key, word text, is_true boolean, document jsonb);
    insert into public.said values
      (1, 'Null', true, '{"word": "null", "truth": true}'), (2, 'null', false, '{"word": "Null", "truth": "true"}'),
      (3, 'unknown', null, '{"word": null, "truth": null}'), (4, 'True', null, null), (5, 'not_null', null, null),
      (6, null, null, null), (7, 'a.eq.null,b', null, null);
    grant all on public.said to authenticated;
    ${ARGUMENTS.map(
      ([name, type]) => `
        create function public.echo_${name}(p_value ${type}) returns json language sql immutable set search_path = '' as
          'select to_json(p_value)';`,
    ).join("")}
    create function public.moment_of() returns timestamptz language sql immutable set search_path = '' as
      $$select timestamptz '2026-11-22 13:49:01.946637+00'$$;`);
  const row = Object.fromEntries(Object.entries(COLUMNS).map(([name, [, value]]) => [name, value]));
  const list = Object.keys(row).join(", ");
  const literals = Object.values(row)
    .map((value) => (value === null ? "null" : `'${value}'`))
    .join(", ");
  await sql.unsafe(`
    insert into public.samples (id, ${list}) values (1, ${literals});
    insert into public.samples (id, parent_id) values (2, 1);`);
  const signedIn = await server.signInUntyped(organization.users.owner);
  token = signedIn.token;
  client = signedIn.client;
});

afterAll(() => server.stop());

async function ask(path: string, init: { method?: string; body?: unknown; prefer?: string } = {}) {
  const { method = init.body === undefined ? "GET" : "POST", body, prefer } = init;
  const response = await fetch(`${server.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: server.running.secrets.publishableKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(prefer && { prefer }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

/**
 * HTTP status of each SQLSTATE in PostgREST's documentation (« Errors », « HTTP Status Codes »).
 */
const STATUS: Readonly<Record<string, number>> = {
  "08006": 503,
  "09000": 500,
  "0A000": 400,
  "0L000": 403,
  "0P000": 403,
  "21000": 500,
  "22003": 400,
  "22007": 400,
  "22023": 400,
  "22P02": 400,
  "23502": 400,
  "23503": 409,
  "23505": 409,
  "23514": 400,
  "23P01": 400,
  "25006": 405,
  "25P02": 500,
  "28000": 403,
  "2D000": 500,
  "2F002": 400,
  "38000": 500,
  "39000": 500,
  "3B000": 500,
  "40001": 500,
  "40P01": 500,
  "42501": 403,
  "42601": 400,
  "42883": 404,
  "42P01": 404,
  "42P17": 500,
  "53100": 503,
  "53400": 500,
  "54000": 500,
  "55P03": 500,
  "57014": 500,
  "57P01": 503,
  "58030": 500,
  F0000: 500,
  HV000: 500,
  P0001: 400,
  P0002: 500,
  PT418: 418,
  TV001: 400,
  XX000: 500,
};

it.each([
  ["rpc/customer_list", (deep: string) => `{"p_org_id":"${organization.id}","p_filters":${deep}}`],
  ["samples", (deep: string) => `{"id":7,"document":${deep}}`],
])("refuses a body for %s that is nested too deep", async (path, bodyOf) => {
  const response = await fetch(`${server.url}/rest/v1/${path}`, {
    method: "POST",
    headers: {
      apikey: server.running.secrets.publishableKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    },
    body: bodyOf("[".repeat(30_000) + "]".repeat(30_000)),
  });
  expect([response.status, Object(await response.json()).code]).toEqual([400, "PGRST102"]);
});

it.each([
  ["refuses", "(.*)\\1x", 400, "2201B"],
  ["answers", "\\d+", 200, undefined],
])(
  "%s a pattern like %s: one that refers back to itself can take for ever",
  async (_, pattern, status, code) => {
    for (const filter of [`name=imatch.${pattern}`, `or=(name.is.null,name.match.${pattern})`]) {
      const answer = await ask(`customers?select=id&${encodeURI(filter)}`);
      expect([filter, answer.status, answer.body.code]).toEqual([filter, status, code]);
    }
  },
);

it("answers others while one account's requests take long", async () => {
  const held = await server.database.sql.reserve();
  await held`select pg_advisory_lock(4711)`;
  let settled = 0;
  const slow = Array.from({ length: 12 }, async () => {
    const answer = await client.rpc("wait_for_others");
    settled += 1;
    return answer.status;
  });
  try {
    const { client: other } = await server.signIn(organization.users.admin);
    expect((await other.rpc("my_workspace")).status).toBe(200);
    expect(settled).toBe(0);
  } finally {
    await held`select pg_advisory_unlock(4711)`;
    held.release();
  }
  expect(await Promise.all(slow)).toEqual(Array(12).fill(204));
});

describe("a refusal of the database", () => {
  it.each(Object.entries(STATUS))(
    "%s is answered with %i, in its own words",
    async (code, status) => {
      const answer = await client.rpc("refuse", { p_code: code });
      expect(answer).toMatchObject({
        status,
        error: { code, message: "what happened", details: "in detail", hint: "what to do" },
      });
      // A preference that the executor does not follow: the library answers.
      const left = await ask("rpc/refuse", { body: { p_code: code }, prefer: "handling=strict" });
      expect(left).toMatchObject({ status, body: { code, hint: "what to do" } });
      const bare = await ask("rpc/refuse_barely", { body: { p_code: code } });
      expect(bare).toMatchObject({
        status,
        body: { code, message: "what happened", details: null, hint: null },
      });
      expect(bare.headers.get("proxy-status")).toBe(`PostgREST; error=${code}`);
      expect(bare.headers.get("content-type")).toBe("application/json; charset=utf-8");
    },
  );

  it("does not hold the row that a function would have written", async () => {
    expect(await client.rpc("keep", { p_size: 0 })).toMatchObject({
      status: 400,
      error: { code: "23514", details: null },
    });
  });

  it("is in the log with its code and the request's id, and without its words", async () => {
    const { headers } = await ask("rpc/refuse", { body: { p_code: "23P01" } });
    const id = headers.get("x-request-id");
    expect(server.log.filter((line) => line.id === id && line.code !== undefined)).toEqual([
      { event: "data_refused", id, status: 400, code: "23P01" },
    ]);
    await ask("rpc/refuse", { body: { p_code: "40001" } });
    expect(server.log).toContainEqual(
      expect.objectContaining({
        event: "data_refused",
        level: "error",
        status: 500,
        code: "40001",
      }),
    );
    expect(JSON.stringify(server.log)).not.toMatch(/what happened|in detail/);
  });

  it("of a function that may only read is 405", async () => {
    expect(await ask("rpc/write_something")).toMatchObject({
      status: 405,
      body: { code: "25006" },
    });
  });

  it("of a constraint changes nothing", async () => {
    const { storeId } = organization;
    const before = await ask(`stores?id=eq.${storeId}`);
    const refused = await client
      .from("stores")
      .update({ timezone: "Mars/Olympus" })
      .eq("id", storeId);
    expect(refused).toMatchObject({ status: 400, error: { code: "23514" } });
    expect(await ask(`stores?id=eq.${storeId}`)).toMatchObject({ body: before.body });
  });

  it.each([
    [
      "an address that is none",
      "invite_member",
      { p_email: "pas un email", p_role: "member" },
      "23514",
    ],
    [
      "a moment that is a number",
      "create_api_key",
      { p_name: "Caisse", p_scope: "read", p_expires_at: 1 },
      "22007",
    ],
    ["a text that is no number", "echo_an_integer", { p_value: "x" }, "22P02"],
    ["a number that is none of a UUID", "echo_a_uuid", { p_value: 5 }, "22P02"],
    ["an object where a list is due", "echo_some_numbers", { p_value: { a: 1 } }, "22P02"],
  ])("answers %s with 400", async (_, name, args, code) => {
    const answer = await client.rpc(name, args);
    expect(answer).toMatchObject({ status: 400, error: { code } });
  });

  it.each([
    ["eq.{}", "{}"],
    ["not.eq.{}", "{}"],
    ['neq.{"$gt":1}', '{"$gt":1}'],
    ['eq.{"a":{"b":1}}', '{"a":{"b":1}}'],
    // A word of « is » alone.
    ["eq.not_null", "not_null"],
    ["not.eq.not_null", "not_null"],
    ["gt.not_null", "not_null"],
    ["in.(not_null)", "not_null"],
  ])("answers the filter %s of a UUID with the words of PostgreSQL", async (filter, text) => {
    expect(await ask(`stores?id=${encodeURIComponent(filter)}&select=id`)).toMatchObject({
      status: 400,
      body: { code: "22P02", message: `invalid input syntax for type uuid: "${text}"` },
    });
    // The same within a tree of conditions.
    const [, negation = "", rest = ""] = /^(not\.)?(.*)$/.exec(filter) ?? [];
    const tree = encodeURIComponent(`(id.${negation}${rest},name.eq.x)`);
    expect((await ask(`stores?or=${tree}&select=id`)).status).toBe(400);
  });

  it.each(["eq.null", "neq.Unknown", "not.eq.not_null", "in.(true,NULL)"])(
    "answers the filter %s of a truth with the words of PostgreSQL",
    async (filter) => {
      const text = /(\w+)\)?$/.exec(filter)?.[1];
      for (const select of ["id", "id::text"]) {
        expect(await ask(`said?select=${select}&is_true=${filter}`)).toMatchObject({
          status: 400,
          body: { code: "22P02", message: `invalid input syntax for type boolean: "${text}"` },
        });
      }
    },
  );

  it("of what the library does not do is 400", async () => {
    const answer = await ask("organization_plans?status=eq.active&select=plan::text", {
      method: "PATCH",
      prefer: "return=representation",
      body: { plan: "pro" },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "PGRST127" } });
  });

  it.each([
    ["%E0", 404, "PGRST205"],
    ["rpc/%E0", 404, "PGRST202"],
  ])("of a name that the schema cannot have is 404: %s", async (path, status, code) => {
    expect(await ask(path)).toMatchObject({ status, body: { code } });
  });

  it.each(["stores/", "stores/?select=id", "rpc/", "rpc/my_workspace/", "stores/x", "/"])(
    "of a path that is none is 404: %s",
    async (path) => {
      expect(await ask(path)).toMatchObject({
        status: 404,
        body: { code: "PGRST125", message: "Invalid path specified in request URL" },
      });
    },
  );

  it("of an ended session is 401", async () => {
    const { users } = organization;
    const ended = await server.signIn(users.admin);
    await server.database.sql`delete from auth.sessions where user_id = ${users.admin.id}`;
    const answer = await ended.client.rpc("my_workspace");
    expect(answer).toMatchObject({ status: 401, error: { code: "TV011" } });
  });
});

/** Filters of a text that looks like a word of « is », and the rows that each finds. */
const SAID: readonly (readonly [query: string, found: readonly number[]])[] = [
  ["word=eq.Null", [1]],
  ["word=eq.null", [2]],
  ["word=eq.NULL", []],
  ["word=eq.unknown", [3]],
  ["word=eq.True", [4]],
  ["word=eq.not_null", [5]],
  ["word=not.eq.null", [1, 3, 4, 5, 7]],
  ["word=neq.unknown", [1, 2, 4, 5, 7]],
  ["word=gt.unknown", []],
  ["word=match.null", [2, 5, 7]],
  ["word=ilike.null", [1, 2]],
  ["word=in.(Null,unknown,True)", [1, 3, 4]],
  ['word=not.in.(null,"unknown",True)', [1, 5, 7]],
  ["word=is.null", [6]],
  ["word=not.is.null", [1, 2, 3, 4, 5, 7]],
  ["word=eq(any).{NULL,unknown,True}", [3, 4]],
  ["or=(word.eq(any).{not_null,null},word.eq.Null)", [1, 5]],
  ['document=cs.{"truth":true}', [1]],
  ["is_true=eq.true", [1]],
  ["is_true=not.eq.True", [2]],
  ["is_true=in.(false,true)", [1, 2]],
  ["is_true=is.unknown", [3, 4, 5, 6, 7]],
  ["document->>word=eq.null", [1]],
  ["document->truth=eq.true", [1]],
  ["or=(word.eq.Null,word.eq.unknown,word.is.null)", [1, 3, 6]],
  ["or=(word.in.(Null,True),is_true.is.false)", [1, 2, 4]],
  ["and=(word.not.in.(null,unknown),or(word.eq.true,word.neq.not_null))", [1, 4, 7]],
  ['or=(word.eq."a.eq.null,b",word.in.("a.in.(null,b",null))', [2, 7]],
  ['not.or=(word.eq."null",word.eq.Null)', [3, 4, 5, 7]],
];

describe("a word of « is »", () => {
  it.each(SAID)("means what it does in PostgREST: %s", async (query, found) => {
    const [name = "", value = ""] = query.split(/=(.*)/s);
    const filter = `${name}=${encodeURIComponent(value)}`;
    for (const select of ["id", "id::int"]) {
      expect(await ask(`said?select=${select}&order=id&${filter}`)).toMatchObject({
        status: 200,
        body: found.map((id) => ({ id })),
      });
    }
  });

  it("is a text where rows are changed, too", async () => {
    const changed = await ask("said?word=eq.Null&select=id", {
      method: "PATCH",
      prefer: "return=representation",
      body: { is_true: true },
    });
    expect(changed).toMatchObject({ status: 200, body: [{ id: 1 }] });
  });

  it("is a text behind the official client's operators", async () => {
    const { data } = await client
      .from("said")
      .select("id")
      .order("id")
      .in("word", ["Null", "a.eq.null,b"]);
    expect(data).toEqual([{ id: 1 }, { id: 7 }]);
    expect((await client.from("said").select("id").eq("word", "null")).data).toEqual([{ id: 2 }]);
  });
});

describe("a select without columns", () => {
  it("answers all of them, as documented", async () => {
    const all = await ask("samples?id=eq.1");
    expect(all.body).toHaveLength(1);
    expect(await ask("samples?select=&id=eq.1")).toMatchObject({ status: 200, body: all.body });
    expect(await ask("rpc/sample_rows?select=")).toMatchObject({ status: 200, body: all.body });
  });
});

describe("an argument of a function", () => {
  it.each(ARGUMENTS)("%s arrives as %s", async (name, type, values) => {
    for (const value of values) {
      const body = JSON.stringify({ p_value: value });
      const [expected] = await server.database.sql.unsafe<{ value: unknown }[]>(
        `select to_json(p_value) as value from json_to_record($1::text::json) as t(p_value ${type})`,
        [body],
      );
      const answer = await client.rpc(`echo_${name}`, { p_value: value });
      expect([value, answer.error, answer.data]).toEqual([value, null, expected?.value ?? null]);
    }
  });
});

const sampleRows = z.array(z.record(z.string(), z.unknown()));

describe("what a table holds", () => {
  it("is answered as PostgreSQL writes JSON, wherever it stands", async () => {
    const { sql } = server.database;
    const [written] = await sql.begin(async (transaction) => {
      await transaction`set local timezone to 'UTC'`;
      return transaction<{ row: Record<string, unknown> }[]>`
        select to_json(t) as row from public.samples t where id = 1`;
    });
    const expected = written?.row;
    expect(expected?.moment).toBe("2026-11-22T13:49:01.946637+00:00");
    const list = ["id", "parent_id", ...Object.keys(COLUMNS)].join(",");
    expect((await ask("samples?id=eq.1")).body).toEqual([expected]);
    expect((await ask(`samples?id=eq.1&select=${list}`)).body).toEqual([expected]);
    expect((await ask("rpc/sample_rows")).body).toEqual([expected]);
    expect((await ask("rpc/moment_of")).body).toBe("2026-11-22T13:49:01.946637+00:00");
    const [nested] = sampleRows.parse(
      (await ask("samples?id=eq.2&select=id,parent:samples!samples_parent_id_fkey(*)")).body,
    );
    expect(nested).toEqual({ id: 2, parent: expected });
  });

  it("is stored as it was sent, and answered so", async () => {
    const { sql } = server.database;
    const sent = {
      id: 3,
      moment: "2026-11-22T13:49:01.946637+00:00",
      price: 12.5,
      truth: false,
      document: "[1,2]",
      binary_document: [true, false],
      words: ["a", 'b"c', null],
      moments: ["2026-11-22T13:49:01+00:00"],
      bytes: "\\x0aff",
    };
    const made = await client.from("samples").insert(sent).select(Object.keys(sent).join(","));
    expect(made).toMatchObject({ error: null, data: [sent] });
    const changed = { ...sent, document: { a: 1 }, binary_document: "word", words: [] };
    const { id, ...changes } = changed;
    const updated = await client
      .from("samples")
      .update(changes)
      .eq("id", id)
      .select(Object.keys(sent).join(","));
    expect(updated).toMatchObject({ error: null, data: [changed] });
    const twice = { ...changed, binary_document: "{}", document: 7 };
    const upserted = await client.from("samples").upsert(twice).select(Object.keys(sent).join(","));
    expect(upserted).toMatchObject({ error: null, data: [twice] });
    const [types] = await sql`
      select json_typeof(document) as document, jsonb_typeof(binary_document) as binary_document
      from public.samples where id = 3`;
    expect(types).toEqual({ document: "number", binary_document: "string" });
  });
});
