import { afterAll, expect, it } from "vitest";
import { PERMISSION_LEVELS } from "#domain/rules/permissions.ts";
import { become, type Caller, createTestDatabase, undone } from "../harness/database.ts";
import { createPointsReward } from "../harness/fixtures.ts";
import { review, spendPoints, spin, winPoints } from "../harness/journey.ts";
import { createWorld, readTables } from "./attempts.ts";
import { callsOf, pairsOf, readCallables } from "./function-calls.ts";
import {
  CODES,
  FOR_MEMBERS,
  NAME_PEOPLE,
  NAME_REVIEWS,
  NEITHER,
  PEOPLE,
  SAY_CODES,
  TILL,
} from "./personal-columns.ts";

/**
 * Role × {people, codes}: whoever lacks customers.read reads no name, address or identifier of a customer in any table
 * or answer of a function. Whoever lacks codes.read reads no code that is good and no key to one. No answer differs
 * because what was asked for exists. A role with all the rest sees all that there is to see without them, since a
 * permission only ever adds.
 */

const database = await createTestDatabase();
const { sql } = database;
const world = await createWorld(database);
const { ours } = world;

afterAll(() => database.drop());

/** Those of the functions that name people which whoever may not list codes cannot call at all. */
const LISTS_OF_CODES = ["check_groups", "reward_codes"];

const PERSON = {
  first: "Zélie",
  last: "Quintefeuille",
  email: "zq@exemple.fr",
  phone: "0698765432",
};

// Somebody who did everything there is: a review, a code won with it, and points.
const contact = { firstName: PERSON.first, lastName: PERSON.last, ...PERSON };
const { campaignId, rewardId } = ours;
const reviewed = await review(sql, { ...contact, campaignId, rating: 2 });
await sql`select public.record_feedback(${reviewed.review_id}, 'Trop d''attente au comptoir.')`;
await spin(sql, { campaignId, reviewId: reviewed.review_id });
await sql`
  update public.wheel_segments set reward_id = (
    select id from public.rewards where campaign_id = ${campaignId} and id <> ${rewardId})
  where campaign_id = ${campaignId}`;
const proofs = [
  await winPoints(sql, {
    campaignId,
    name: `${PERSON.first} ${PERSON.last}`,
    email: PERSON.email,
  }),
];
const tea = await createPointsReward(sql, { orgId: ours.id });
await spendPoints(sql, { campaignId, proofs, rewardId: tea.id, cost: tea.cost });
await sql`update public.wheel_segments set reward_id = ${rewardId} where campaign_id = ${campaignId}`;
await sql`update public.customers set note = 'Mme Quintefeuille préfère le matin.' where email = ${PERSON.email}`;
await sql`
  select private.mark_codes(${ours.id}, ${campaignId}, 'disposable', 'exemple.fr', 1, array(
    select id from public.redemptions where org_id = ${ours.id} and end_user_email = ${PERSON.email}))`;
await sql`select private.fold_figures(1000)`;

/** Values that no answer holds for whoever may not know them; compared without case. */
const marks = {
  people: await valuesOf(`
    select unnest(array[id::text, email, phone, phone_normalized, note]) from public.customers where org_id = '${ours.id}'
    union select unnest(array['Quintefeuille', 'Zélie', 'Zelie'])`),
  codes: await valuesOf(`
    select unnest(array[code, code_key]) from public.redemptions where org_id = '${ours.id}' and status = 'available'
    union select unnest(array[code, code_key]) from public.points_spends where org_id = '${ours.id}'
    union select unnest(array[id, visit_id])::text from public.pre_spin_reviews where org_id = '${ours.id}'
    union select unnest(array[nonce, play_id])::text from public.spins where org_id = '${ours.id}'`),
};
type Kind = keyof typeof marks;

async function valuesOf(query: string): Promise<string[]> {
  const rows = await sql.unsafe<{ value: string | null }[]>(
    `select v.value from (${query}) v (value)`,
  );
  return rows.flatMap(({ value }) => (value ? [value.toLowerCase()] : []));
}

/** Tables whose rows signed-in users may read. */
const readable = await sql<{ oid: number; name: string }[]>`
  select c.oid, c.oid::regclass::text as name from pg_class c
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    and has_schema_privilege('authenticated', c.relnamespace, 'usage')
    and has_any_column_privilege('authenticated', c.oid, 'select')
  order by 2`;

it("states every column that can hold words, and no other", async () => {
  const columns = async (transaction: Pick<typeof sql, "unsafe">) =>
    (
      await transaction.unsafe<{ name: string }[]>(`
        select c.oid::regclass || '.' || a.attname as name
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem
        where c.oid = any ('{${readable.map(({ oid }) => oid).join(",")}}')
          and not (t.typcategory = any ('{B,D,N,I,T}') or coalesce(e.typname, t.typname) = 'uuid')`)
    ).map(({ name }) => name);
  const stated = new Set([PEOPLE, CODES, NEITHER].flatMap(namesOf));
  const missing = async (transaction: Pick<typeof sql, "unsafe">) =>
    (await columns(transaction)).filter((name) => !stated.has(name));
  expect(
    await missing(sql),
    "say in tests/database/personal-columns.ts what they can hold",
  ).toEqual([]);
  const added = await undone(sql, async (transaction) => {
    await transaction`alter table public.scan_events add column visitor_name text`;
    return missing(transaction);
  });
  expect(added).toEqual(["scan_events.visitor_name"]);

  const both = new Set([...namesOf(PEOPLE), ...namesOf(CODES)]);
  expect(namesOf(NEITHER).filter((name) => both.has(name))).toEqual([]);
});

it("states what a person and a code that are there really stand in", async () => {
  const found: Record<Kind, string[]> = { people: [], codes: [] };
  for (const { name } of readable) {
    const rows = await sql.unsafe<Record<string, unknown>[]>(`select * from ${name}`);
    for (const column of rows.columns.map((one) => one.name)) {
      const text = rows.map((row) => JSON.stringify(row[column])).join("\n");
      for (const kind of ["people", "codes"] as const)
        if (holds(text, kind)) found[kind].push(`${name}.${column}`);
    }
  }
  found.people.sort();
  found.codes.sort();
  expect(found.people).toEqual(namesOf(PEOPLE));
  expect(found.codes).toEqual(namesOf(CODES));
});

function namesOf(columns: typeof PEOPLE): string[] {
  return Object.entries(columns)
    .flatMap(([table, names]) => names.map((column) => `${table}.${column}`))
    .sort();
}

/** Whether a text holds a person or a code that whoever asked had not said themselves. */
function holds(text: string, kind: Kind, given = ""): boolean {
  const lower = text.toLowerCase();
  const said = given.toLowerCase();
  return marks[kind].some((mark) => !said.includes(mark) && lower.includes(mark));
}

const callables = await readCallables(sql);
const lasting = new Set(
  await valuesOf(
    `select proname::text from pg_proc where pronamespace = 'public'::regnamespace and provolatile <> 'v'`,
  ),
);
/** One of every kind of row, and those of the person. */
const identifiers = await valuesOf(
  [
    ...(await readTables(sql)).flatMap(({ name, columns }) =>
      ["id", "org_id"].every((key) => columns.some((column) => column.name === key))
        ? [`(select id::text from ${name} where org_id = '${ours.id}' limit 1)`]
        : [],
    ),
    `select unnest(array['${[ours.id, campaignId, rewardId].join("','")}'])`,
    `select id::text from public.customers where email = '${PERSON.email}'`,
  ].join(" union "),
);

/** Searched words, each with one of the same shape that does not exist. */
const [code = ""] = await valuesOf(`
  select r.code from public.redemptions r join public.customers c on c.id = r.customer_id
  where c.email = '${PERSON.email}' and r.status = 'available'`);
const start = code.toUpperCase().slice(0, 7);
const ASKED: readonly [word: string, nonsense: string, kind: Kind][] = [
  [PERSON.email, "qz@exemple.fr", "people"],
  [PERSON.last, "Quatrefeuilles", "people"],
  [PERSON.phone, "0698765400", "people"],
  [code.toUpperCase(), `${start}ZZZZ`, "codes"],
  [start, `${start.slice(0, 4)}ZZZ`, "codes"],
];
const words: string[] = ASKED.flat();

const everything: string[] = Object.values(PERMISSION_LEVELS).flat();
const allBut = (wrong: RegExp) => everything.filter((permission) => !wrong.test(permission));

type Sight = { people: boolean; codes: boolean; till: boolean };
const ALL: Sight = { people: true, codes: true, till: true };

/**
 * Readers, and the data open to them: the given roles, some that an owner makes, and keys of the
 * API.
 */
const READERS: readonly [name: string, reader: readonly string[] | Caller, sight: Sight][] = [
  ["the given role of members", { userId: ours.users.member.id }, ALL],
  [
    "the given role of cashiers",
    { userId: ours.users.cashier.id },
    { people: false, codes: false, till: true },
  ],
  ["everything but customers", allBut(/^customers\./), { people: false, codes: true, till: true }],
  ["everything but codes", allBut(/^codes\./), { people: true, codes: false, till: false }],
  [
    "everything but the list of codes",
    allBut(/^codes\.read/),
    { people: true, codes: false, till: true },
  ],
  [
    "neither customers nor codes",
    allBut(/^(customers|codes)\./),
    { people: false, codes: false, till: false },
  ],
  ["campaigns alone", ["campaigns.write"], { people: false, codes: false, till: false }],
  ["the team alone", ["team.manage"], { people: false, codes: false, till: false }],
  ["a reading key", { apiKeyId: ours.keyIds.read }, { ...ALL, till: false }],
  [
    "a key for the till",
    { apiKeyId: ours.keyIds.redeem },
    { people: false, codes: false, till: true },
  ],
];

/** Answers of every call, errors with all that they say included; each call is taken back. */
const ATTEMPT = `
  create function public.attempt(p_call text) returns text language plpgsql as $$
  declare v_answer text; v_message text; v_detail text; v_hint text;
  begin
    begin
      execute p_call into v_answer;
      raise sqlstate 'ZZ001';
    exception when sqlstate 'ZZ001' then return coalesce(v_answer, '');
      when others then
        get stacked diagnostics v_message = message_text, v_detail = pg_exception_detail, v_hint = pg_exception_hint;
        return concat_ws(' ', sqlstate, v_message, v_detail, v_hint);
    end;
  end $$;
  grant execute on function public.attempt(text) to authenticated`;

it.each(READERS)("%s", async (_, reader, sight) => {
  const seen: Record<Kind, Set<string>> = { people: new Set(), codes: new Set() };
  const told: string[] = [];
  await undone(sql, async (transaction) => {
    await transaction.unsafe(ATTEMPT);
    let caller: Caller;
    if (Array.isArray(reader)) {
      await become(transaction, { userId: ours.users.owner.id });
      const [made] = await transaction<{ role: string }[]>`
        select public.save_role('À l''essai', '', ${[...reader]}) as role`;
      await transaction`reset role`;
      const { id } = ours.users.member;
      await transaction`update public.organization_members set role = ${made?.role ?? ""} where user_id = ${id}`;
      caller = { userId: id };
    } else caller = reader as Caller;
    await become(transaction, caller);
    const ask = async (calls: readonly string[]) => {
      const rows = await transaction<{ answer: string }[]>`
        select public.attempt(c) as answer from unnest(${[...calls]}::text[]) with ordinality u (c, n) order by n`;
      return rows.map(({ answer }) => answer);
    };
    const note = (where: string, text: string, given = "") => {
      for (const kind of ["people", "codes"] as const)
        if (holds(text, kind, given)) seen[kind].add(where);
    };
    const tables = await ask(
      readable.map(({ name }) => `select string_agg(t::text, ' ') from ${name} t`),
    );
    for (const [place, { name }] of readable.entries()) note(name, tables[place] ?? "");
    for (const callable of callables) {
      const isLasting = lasting.has(callable.name) || callable.name === TILL;
      const calls = (isLasting ? pairsOf : callsOf)(callable, ours, { identifiers, words });
      const answers = await ask(calls.map(({ call }) => call));
      for (const [place, { given }] of calls.entries())
        note(callable.name, answers[place] ?? "", given);
      if (!isLasting) continue;
      for (const [word, nonsense, kind] of ASKED) {
        if (sight[kind] || (callable.name === TILL && sight.till)) continue;
        const answersTo = (text: string) =>
          calls.flatMap(({ given }, place) =>
            given.endsWith(` ${text}`) ? [(answers[place] ?? "").replaceAll(text, "…")] : [],
          );
        if (JSON.stringify(answersTo(word)) !== JSON.stringify(answersTo(nonsense)))
          told.push(`${callable.name} tells that ${word} exists`);
      }
    }
  });
  const people = sight.people ? [...NAME_PEOPLE.filter((name) => name !== TILL)] : [];
  // The list of codes and the table of turns need the other right as well.
  const isKey = !Array.isArray(reader) && typeof reader === "object" && "apiKeyId" in reader;
  const named = people.filter(
    (name) =>
      (!LISTS_OF_CODES.includes(name) || sight.codes) && !(isKey && FOR_MEMBERS.includes(name)),
  );
  const tables = (kind: Kind, columns: typeof PEOPLE) =>
    Object.keys(columns).filter((table) => {
      const isBoth = table in CODES;
      return isBoth ? sight.people && sight.codes : sight[kind];
    });
  expect({
    people: [...seen.people].sort(),
    codes: [...seen.codes].sort(),
    told,
  }).toEqual({
    people: [...named, ...(sight.till ? [TILL] : []), ...tables("people", PEOPLE)].sort(),
    codes: [
      ...(sight.codes ? SAY_CODES : []),
      ...(sight.codes && sight.people ? NAME_REVIEWS : []),
      ...tables("codes", CODES),
    ].sort(),
    told: [],
  });
});
