import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/**
 * Filters of the data API, as PostgREST's documentation has them: an operand is the text that the address has, whatever
 * it looks like, and all filters hold. Each is asked of the executor and of the library.
 */

/** Which way requests go; read by the server at each of them. */
let isExecuting = true;
let server: TestServer;
let client: SupabaseClient;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ isExecuting: () => isExecuting });
  const { sql } = server.database;
  const organization = await createOrganization(sql);
  await sql.unsafe(`
    alter default privileges in schema public grant execute on functions to authenticated;
    create table public.said
      (id int primary key, word text, tags text[], document jsonb, is_true boolean, large bigint);
    create table public.notes (id int primary key, said_id int references public.said, word text);
    insert into public.said (id, word, tags, document, is_true, large) values
      (1, '+33612345678', '{+33,1.50}', '{"p": "+336", "n": 1.5}', true, 9007199254740993),
      (2, '33612345678', '{33,1.5}', '{"p": "336", "n": "1.5"}', false, 9007199254740992),
      (3, '1.50', '{}', null, null, null), (4, '1.5', null, '[1, 2]', null, null),
      (5, ' pad ', null, null, null, null), (6, '"quoted"', null, null, null, null),
      (7, 'a"b,c)d\\e', '{"a,b"}', null, null, null), (8, '', null, null, null, null),
      (9, '{a}', null, null, null, null), (10, 'été 🎉', null, null, null, null),
      (11, '1e3', null, null, null, null), (12, '0x10', null, null, null, null),
      (13, 'operand-31', null, null, null, null), (14, 'null', null, null, null, null);
    insert into public.notes values (1, 1, '+1'), (2, 1, '1'), (3, 2, '1.50'), (4, 2, '1.5'), (5, 3, 'null');
    grant all on public.said, public.notes to authenticated;
    create function public.echo(p text default 'none') returns json language sql stable set search_path = '' as
      'select to_json(p)';
    create function public.all_said(p text default 'none') returns setof public.said language sql stable
      set search_path = '' as 'select * from public.said';
    create function public.removes() returns setof public.said language sql set search_path = '' as
      'delete from public.said where id = 14 returning *';
    create function public.told() returns table (id int, method text) language sql stable set search_path = '' as
      $$ select 1, current_setting('request.method', true) $$;
    create function public.typed(document jsonb, tags text[], large bigint)
      returns table (id int, document text, tags text, large text) language sql stable set search_path = '' as
      'select 1, $1::text, $2::text, $3::text';
    create function public.several(variadic p text[]) returns table (id int, p text) language sql stable
      set search_path = '' as 'select 1, $1::text';`);
  const signedIn = await server.signInUntyped(organization.users.owner);
  token = signedIn.token;
  client = signedIn.client;
});

afterAll(() => server.stop());

/** An address of the data API, each part of it encoded. */
function addressOf(path: string, query: string): string {
  const parts = query.split("&").map((part) => {
    const [name = "", value = ""] = part.split(/=(.*)/s);
    return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  });
  return `${server.url}/rest/v1/${path}?${parts.join("&")}`;
}

type Init = { method?: string; body?: unknown; prefer?: string };

async function ask(path: string, query: string, { method, body, prefer }: Init = {}) {
  const response = await fetch(addressOf(path, query), {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      apikey: server.running.secrets.publishableKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(prefer && { prefer }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The answers of both ways to the same request. */
async function askBoth(...[path, query, init]: Parameters<typeof ask>) {
  const answers = [];
  for (const way of [true, false]) {
    isExecuting = way;
    answers.push(await ask(path, query, init));
  }
  isExecuting = true;
  return answers;
}

const FOUND: readonly (readonly [query: string, found: readonly number[]])[] = [
  // Texts like numbers.
  ["word=eq.+33612345678", [1]],
  ["word=not.eq.1.50&id=lt.5", [1, 2, 4]],
  ["word=in.(+33612345678,1.50)", [1, 3]],
  ["word=not.in.(+33612345678,1.50)&id=lt.5", [2, 4]],
  ["word=eq(any).{+33612345678,1.50}", [1, 3]],
  ["word=gt.1.5&id=in.(3,4)", [3]],
  ["word=isdistinct.1.50&id=in.(3,4)", [4]],
  ["or=(word.eq.+33612345678,word.eq.1.50)", [1, 3]],
  ["or=(word.eq.1e3,word.eq.0x10)", [11, 12]],
  ["or=(word.in.(+33612345678,1.50),id.eq.99)", [1, 3]],
  ["or=(id.eq.99,and(word.not.eq.1.50,or(id.eq.3,id.eq.4)))", [4]],
  ["not.or=(word.eq.1.50,id.gt.4)", [1, 2, 4]],
  ["or=(word.eq(any).{+33612345678,1.50},id.eq.99)", [1, 3]],
  ["tags=cs.{+33}", [1]],
  ["tags=cd.{+33,1.50,x}", [1, 3]],
  ["tags=ov.{1.50,x}", [1]],
  ["or=(tags.cs.{1.50},id.eq.99)", [1]],
  ["document->>p=eq.+336", [1]],
  ["or=(document->>p.eq.+336,id.eq.99)", [1]],
  ["document->n=eq.1.5", [1]],
  ['document=cs.{"n":1.5}', [1]],
  ['or=(document.cs.{"n":1.5},id.eq.99)', [1]],
  ["document=eq.[1,2]", [4]],
  ["large=eq.9007199254740993", [1]],
  ["or=(large.eq.9007199254740993,id.eq.99)", [1]],
  // Texts like words of the grammar, or of the implementation.
  ["word=eq. pad ", [5]],
  ['word=eq."quoted"', [6]],
  ["word=eq.{a}", [9]],
  ["word=eq.operand-31", [13]],
  ["or=(word.eq.operand-31,word.eq.null)", [13, 14]],
  ["word=eq.", [8]],
  ['or=(word.eq."",id.eq.99)', [8]],
  ['word=in.("")', [8]],
  ["word=in.()", []],
  ["or=(word.in.(),id.eq.1)", [1]],
  ["word=eq.été 🎉", [10]],
  ["or=(word.eq.été 🎉,id.eq.99)", [10]],
  // Escaped signs.
  ['word=eq.a"b,c)d\\e', [7]],
  ['or=(word.eq."a\\"b,c)d\\\\e",id.eq.99)', [7]],
  ['word=in.("a\\"b,c)d\\\\e",x)', [7]],
  ['or=(word.in.(x,"a\\"b,c)d\\\\e"),id.eq.99)', [7]],
  ['or=(word.eq."\\"quoted\\"",id.eq.99)', [6]],
  ['or=(word.like.*33*,word.like."a*")', [1, 2, 7]],
  ["word=like(any).{*33*,1.5*}", [1, 2, 3, 4]],
  ["or=( id.eq.1 , id.eq.2 )", [1, 2]],
  ["is_true=is.true", [1]],
  ["or=(is_true.is.false,is_true.not.is.unknown)", [1, 2]],
  ["or=(is_true.is.NOT_NULL,id.eq.3)", [1, 2, 3]],
  ["or=( is_true.is.True , id.eq.3 )", [1, 3]],
  // Several filters of one name.
  ["id=neq.3&id=neq.5&id=lt.8", [1, 2, 4, 6, 7]],
  ["id=not.eq.3&id=not.gt.5", [1, 2, 4, 5]],
  ["word=neq.1.50&word=neq.1.5&id=in.(3,4,5)", [5]],
  ["or=(id.eq.1,id.eq.2)&or=(id.eq.2,id.eq.3)", [2]],
  ["and=(id.gt.1,id.lt.9)&or=(id.eq.2,id.eq.3)&and=(id.neq.3)", [2]],
  ["not.or=(id.eq.1,id.eq.2)&not.and=(id.gt.2,id.lt.13)", [13, 14]],
  // A word of `is` may be followed by others outside a tree, also beside a filter of the same column.
  ["id=not.is.NULLx&id=eq.2", [2]],
];

describe("a filter", () => {
  it.each(FOUND)("finds what it names: %s", async (query, found) => {
    for (const select of ["id", "id::int"]) {
      for (const { status, body } of await askBoth("said", `select=${select}&order=id&${query}`)) {
        expect([status, body]).toEqual([200, found.map((id) => ({ id }))]);
      }
    }
  });

  it.each([
    ["notes.word=eq.+1", [[1], [], []]],
    ["notes.word=in.(1.50,+1)", [[1], [3], []]],
    ["notes.or=(word.eq.1.50,word.eq.+1)", [[1], [3], []]],
    ["notes.id=neq.1&notes.id=neq.3", [[2], [4], [5]]],
    ["notes.or=(id.eq.1,id.eq.2)&notes.or=(id.eq.2,id.eq.3)", [[2], [], []]],
  ])("of an embedded table finds what it names: %s", async (query, found) => {
    const { body } = await ask("said", `select=id,notes(id)&id=lt.4&order=id&${query}`);
    expect(body).toEqual(
      found.map((ids, index) => ({ id: index + 1, notes: ids.map((id) => ({ id })) })),
    );
  });

  it.each([
    "(id.eq.1",
    "(id.eq.1))",
    "id.eq.1",
    "(id.eq.1)x",
    "(id.eq.1,)",
    "(id.foo.1)",
    "()",
    // A word that only begins like one of `is`, which PostgREST lets pass outside a tree alone.
    "(is_true.is.nullx,id.eq.1)",
    "(id.eq.1,is_true.not.is.TRUEx)",
    "(is_true.is.,id.eq.1)",
    "(is_true.is.foo,id.eq.1)",
  ])("that is none is refused: or=%s", async (tree) => {
    for (const { status, body } of await askBoth("said", `select=id&or=${tree}`)) {
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({
          code: "PGRST100",
          message: expect.stringContaining(`failed to parse logic tree (${tree})`),
        }),
      ]);
    }
  });

  it.each([
    ["id=is.x", "is.x"],
    ["id=not.is.", "not.is."],
    // Two of one column, which the library gets as one.
    ["id=eq.1&id=is.x", "is.x"],
    ["id=is.x&id=eq.1", "is.x"],
    ["id=foo&id=eq.1", "foo"],
    ["id=eq.1&id=foo", "foo"],
    ["id=in.x&id=eq.1", "in.x"],
    ["id=eq.1&id=in.x", "in.x"],
  ])(
    "that is none is refused in the words of its address, and changes nothing: %s",
    async (query, value) => {
      const init = { method: "PATCH", body: { is_true: true } };
      const { body: before } = await ask("said", "select=*&order=id");
      for (const { status, body } of [
        ...(await askBoth("said", `select=id&${query}`)),
        await ask("said", query, init),
      ]) {
        expect([status, body]).toEqual([
          400,
          expect.objectContaining({
            code: "PGRST100",
            message: expect.stringContaining(`failed to parse filter (${value})`),
          }),
        ]);
      }
      expect((await ask("said", "select=*&order=id")).body).toEqual(before);
    },
  );

  it.each([
    ["or=(notes.not.is.null,n.not.is.null)", [1, 2, 3]],
    ["or=(notes.is.null,n.is.null)&id=lt.6", [4, 5]],
    ["notes=is.null&id=lt.6&id=neq.4", [5]],
  ])("chooses by whether rows are embedded: %s", async (query, found) => {
    const { body } = await ask("said", `select=id,notes(),n:notes!said_id()&order=id&${query}`);
    expect(body).toEqual(found.map((id) => ({ id })));
  });

  it.each([
    ["or=(notes.not.is.null,id.eq.9)", "PGRST127"],
    ["or=(id.eq.9,and(id.eq.1,notes.is.null))", "PGRST127"],
    ["not.or=(notes.is.null,id.eq.9)", "PGRST127"],
    ["or=(notes.eq.1,id.eq.9)", "PGRST120"],
    ["or=(notes.is.true,notes.is.null)", "PGRST120"],
  ])("of embedded rows within a tree is refused for what it is: %s", async (query, code) => {
    const refused = await ask("said", `select=id,notes()&${query}`);
    expect(refused).toMatchObject({ status: 400, body: { code } });
  });

  it("chooses the rows that are changed, too", async () => {
    const query = "or=(word.eq.1.50,word.eq.+9)&id=neq.4&id=neq.5&select=id";
    const init = { method: "PATCH", prefer: "return=representation", body: { is_true: true } };
    expect(await ask("said", query, init)).toMatchObject({ status: 200, body: [{ id: 3 }] });
  });

  it("keeps its address in the answer", async () => {
    const query = "id=lt.3&or=(word.eq.+33612345678,id.eq.2)&select=id";
    const { headers } = await ask("said", query);
    expect(headers.get("content-location")).toBe(
      `/said?${new URLSearchParams(new URL(addressOf("said", query)).search)}`,
    );
  });

  it("of many identifiers leaves its address out of the answer: headers have a size, too", async () => {
    const ids = Array.from({ length: 1500 }, (_, index) => 10_000 + index);
    for (const select of ["id", "id::int"]) {
      const query = `select=${select}&id=in.(1,${ids.join(",")})`;
      for (const { status, headers, body } of await askBoth("said", query)) {
        expect([status, body, headers.get("content-location")]).toEqual([200, [{ id: 1 }], null]);
      }
    }
  });

  it.each(["]=cs.x&]=cs.x", "--=eq.x&--=eq.y", "or=(--.eq.x,id.eq.1)"])(
    "of no column is refused in the words of its address: %s",
    async (query) => {
      for (const { status, body } of await askBoth("said", `select=id&${query}`)) {
        expect([status, JSON.stringify(body)]).toEqual([400, expect.not.stringMatching("operand")]);
      }
    },
  );

  it("means the same from the official client", async () => {
    const found = await client
      .from("said")
      .select("id")
      .or("word.eq.+33612345678,word.eq.1.50,id.eq.4")
      .or("id.gt.1")
      .neq("id", 4)
      .neq("id", 5);
    expect(found).toMatchObject({ error: null, data: [{ id: 3 }] });
  });
});

describe("a call by its address", () => {
  it.each([
    "null",
    "true",
    "+336",
    "1.50",
    "",
    " x ",
    '"x"',
    '{"a":1}',
    "[1]",
    "a.b",
    "in.fr",
    "operand-31",
  ])("gives the function the text %j", async (text) => {
    for (const more of ["", "&select=*"]) {
      for (const { status, body } of await askBoth("rpc/echo", `p=${text}${more}`)) {
        expect([status, body]).toEqual([200, text]);
      }
    }
  });

  it("filters what the function answers", async () => {
    for (const query of ["word=eq.1.50", "word=in.(1.50)&p=1.50"]) {
      for (const { body } of await askBoth("rpc/all_said", `select=id&${query}`)) {
        expect(body).toEqual([{ id: 3 }]);
      }
    }
  });

  it.each([
    ["or=(word.eq.1.50,id.eq.1)&id=lt.9", [1, 3]],
    ["id=neq.2&id=neq.4&id=lt.5", [1, 3]],
    ["not.or=(word.eq.1.50,id.gt.4)", [1, 2, 4]],
    ["and=(id.gt.1,id.lt.9)&or=(id.eq.2,id.eq.3)&p=+336", [2, 3]],
  ])(
    "filters what the function answers by several conditions together: %s",
    async (query, found) => {
      for (const body of [undefined, { p: "operand-31" }]) {
        const asked = body ? query.replace("&p=+336", "") : query;
        const answers = await askBoth("rpc/all_said", `select=id&order=id&${asked}`, { body });
        expect(answers.map((answer) => [answer.status, answer.body])).toEqual(
          Array(2).fill([200, found.map((id) => ({ id }))]),
        );
      }
    },
  );

  it("filters what is embedded in what the function answers", async () => {
    const query = "id=lt.4&id=neq.3&notes.or=(word.eq.+1,word.eq.1.5)";
    for (const { body } of await askBoth("rpc/all_said", `select=id,notes(id)&order=id&${query}`)) {
      expect(body).toEqual([
        { id: 1, notes: [{ id: 1 }] },
        { id: 2, notes: [{ id: 4 }] },
      ]);
    }
  });

  it("counts, and takes the page that is asked for, of several conditions together", async () => {
    const query = "select=id&order=id&or=(id.eq.1,id.eq.2,id.eq.3)&limit=1&offset=1";
    for (const { status, headers, body } of await askBoth("rpc/all_said", query, {
      prefer: "count=exact",
    })) {
      expect([status, headers.get("content-range"), body]).toEqual([206, "1-1/3", [{ id: 2 }]]);
    }
  });

  it("takes the range of rows that a header asks for, whatever conditions it has", async () => {
    for (const query of ["id=lt.9", "id=lt.9&id=neq.2"]) {
      const response = await fetch(addressOf("rpc/all_said", `select=id&order=id&${query}`), {
        headers: {
          apikey: server.running.secrets.publishableKey,
          authorization: `Bearer ${token}`,
          range: "2-3",
        },
      });
      const skipped = query === "id=lt.9" ? [3, 4] : [4, 5];
      expect(await response.json()).toEqual(skipped.map((id) => ({ id })));
    }
  });

  it("only reads, and says so, whatever conditions it has", async () => {
    for (const query of ["id=lt.9", "id=lt.9&id=neq.3", "or=(id.eq.1,id.eq.2)"]) {
      for (const { status, body } of await askBoth("rpc/removes", query)) {
        expect([status, body]).toEqual([405, expect.objectContaining({ code: "25006" })]);
      }
      for (const { body } of await askBoth("rpc/told", query)) {
        expect(body).toEqual([{ id: 1, method: "GET" }]);
      }
    }
    expect(await ask("said", "select=id&id=eq.14")).toMatchObject({ body: [{ id: 14 }] });
  });

  it.each([
    ["p=a&p=b", "b"],
    ["p=in.fr&p=null", "null"],
  ])("gives the function the last of several texts of a name: %s", async (query, text) => {
    for (const more of ["", "&select=*"]) {
      for (const { status, body } of await askBoth("rpc/echo", query + more)) {
        expect([status, body]).toEqual([200, text]);
      }
    }
  });

  it("gives texts of every type as they are written", async () => {
    const given = 'document={"a":[1.50]}&tags={a,"b,c"}&large=9007199254740993';
    for (const more of ["", "&id=gt.0", "&id=gt.0&id=lt.9", "&or=(id.eq.1,id.eq.2)"]) {
      for (const { body } of await askBoth("rpc/typed", given + more)) {
        expect(body).toEqual([
          { id: 1, document: '{"a": [1.50]}', tags: '{a,"b,c"}', large: "9007199254740993" },
        ]);
      }
    }
  });

  it("gives all texts of a name to a function that takes any number of them", async () => {
    for (const query of ["p=a&p=b", "p=a&p=b&id=gt.0&id=lt.9"]) {
      for (const { body } of await askBoth("rpc/several", query)) {
        expect(body).toEqual([{ id: 1, p: "{a,b}" }]);
      }
    }
  });

  it("leaves a body's arguments as they are", async () => {
    for (const { body } of await askBoth("rpc/echo", "select=*", { body: { p: "operand-31" } })) {
      expect(body).toBe("operand-31");
    }
  });
});
