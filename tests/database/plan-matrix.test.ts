import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import { become, createTestDatabase, undone } from "../harness/database.ts";
import { ROLES, type Role } from "../harness/fixtures.ts";
import { createWorld, type Outcome } from "./attempts.ts";
import { type Cell, isRefused, readCells } from "./cells.ts";
import {
  ALWAYS,
  ALWAYS_READ,
  ELSEWHERE,
  PLAN_STATES,
  type PlanState,
  putInto,
  SCREENS,
} from "./plan-states.ts";

/**
 * Route × role × state of the plan. What there is to try comes from the catalog: every function that members may call
 * and every table that they may read or write. Each is tried in every state, under the database role of the API. What a
 * screen may do is what the calls that it makes may do.
 */

const database = await createTestDatabase();
const { sql } = database;
const world = await createWorld(database);

afterAll(() => database.drop());

const cells = await readCells(sql, world);

/** Outcome that a cell must have in a state; null where the state alone does not determine it. */
function expectedOf(cell: Cell, role: Role, state: PlanState): RegExp | null {
  const stated = cell.stated[role];
  if (state.isOpen) return state.isBase ? exactly(stated) : null;
  // The storage has one word for everything.
  if (cell.name.startsWith("storage.")) return /^denied$/;
  const isKept = (cell.isWrite ? ALWAYS : ALWAYS_READ).includes(cell.name);
  if (isRefused(stated)) return state.isReadable ? exactly(stated) : /^(denied|none|nothing|TV.*)$/;
  // Keys for the API and roles of one's own are features of a plan: one that is over does not have them.
  if (cell.isWrite && !isKept)
    return state.isReadable ? /^TV(085|111|114)$/ : /^TV(085|111|114|120)$/;
  // One's own row stays one's own.
  if (!state.isReadable && !isKept) return stated === "own" ? /^(own|TV120)$/ : /^TV120$/;
  // A trial has no advanced figures, ended or not: that is the plan, not its state.
  if (state.row.plan === "free_trial") return null;
  return state.isReadable || !cell.isWrite ? exactly(stated) : null;
}

function exactly(outcome: string): RegExp {
  return new RegExp(`^${outcome}$`);
}

type Observed = ReadonlyMap<string, Outcome>;
const keyOf = (name: string, role: Role) => `${role} ${name}`;

/** Everything that everybody tries in a state. */
function observeAll(state: PlanState): Promise<Observed> {
  return undone(sql, async (transaction) => {
    await putInto(transaction, world.ours.id, state);
    const observed = new Map<string, Outcome>();
    // Reads while the plan runs have their own test, matrix.test.ts.
    for (const cell of cells.filter(({ isWrite }) => isWrite || !state.isOpen || state.isBase)) {
      for (const role of ROLES) {
        const outcome = await undone(transaction, (inner) => cell.observe(inner, role));
        observed.set(keyOf(cell.name, role), outcome);
      }
    }
    return observed;
  });
}

describe("the list of screens", () => {
  it("is the list of routes, and names every write that there is", async () => {
    const tree = await readFile(new URL("../../web/route-tree.gen.ts", import.meta.url), "utf8");
    const list = /interface FileRoutesByFullPath \{([^}]*)\}/.exec(tree)?.[1] ?? "";
    const routes = [...list.matchAll(/'([^']+)': typeof Member/g)].map(([, path]) => path);
    expect(routes.length).toBeGreaterThan(25);
    expect(routes.filter((path) => path !== undefined && !SCREENS[path])).toEqual([]);
    const used = new Set([...Object.values(SCREENS).flatMap(({ writes }) => writes), ...ELSEWHERE]);
    const written = cells.filter(({ isWrite }) => isWrite).map(({ name }) => name);
    expect([...used].sort()).toEqual([...new Set(written)].sort());
    const known = new Set(cells.map(({ name }) => name));
    const reads = Object.values(SCREENS).flatMap((screen) => screen.reads);
    expect(reads.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe.each(PLAN_STATES)("a plan that is $name", (state) => {
  it("lets every screen do for every role what it should, and nothing else", async () => {
    const observed = await observeAll(state);
    const may = (name: string, role: Role) => !isRefused(observed.get(keyOf(name, role)) ?? "none");
    const wrong = cells.flatMap((cell) =>
      ROLES.flatMap((role) => {
        const outcome = observed.get(keyOf(cell.name, role));
        if (outcome === undefined) return [];
        const isStateRefusal = outcome === "TV085" || outcome === "TV120";
        const expected = expectedOf(cell, role, state);
        const isRight = expected ? expected.test(outcome) : !(state.isOpen && isStateRefusal);
        return isRight ? [] : [`${cell.name}, ${role}: ${outcome}, not ${expected}`];
      }),
    );
    expect(wrong).toEqual([]);

    const open = Object.entries(SCREENS).flatMap(([route, { reads, writes }]) =>
      ROLES.flatMap((role) => [
        ...writes
          .filter((name) => !ALWAYS.includes(name) && may(name, role))
          .map((name) => `${route}, ${role}: ${name}`),
        ...reads
          .filter((name) => !ALWAYS_READ.includes(name) && may(name, role))
          .map(() => `${route}, ${role}: reads`),
      ]),
    );
    const changing = open.filter((line) => !line.endsWith(": reads"));
    const reading = open.filter((line) => line.endsWith(": reads"));
    if (!state.isOpen) expect(changing).toEqual([]);
    expect(changing.length > 0).toBe(state.isOpen);
    if (!state.isOpen || state.isBase) expect(reading.length > 0).toBe(state.isReadable);
  });
});

it("refuses to read after 30 days whether something exists or not, whatever the plan of the query", async () => {
  const reads = await sql<{ name: string; names: string[]; types: string[]; defaults: number }[]>`
    select p.proname::text as name, p.proargnames::text[] as names, p.pronargdefaults as defaults,
      array(select t::regtype::text from unnest(p.proargtypes) t) as types
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.provolatile <> 'v'
      and has_function_privilege('authenticated', p.oid, 'execute')`;
  const calls = reads.flatMap(({ name, names, types, defaults }) => {
    const given = types.slice(0, Math.max(types.length - defaults, 1));
    const isOfOne = given.some((type, at) => type === "uuid" && names[at] !== "p_org_id");
    const values = given.map((type, at) => {
      if (type !== "uuid") return "null";
      return `'${names[at] === "p_org_id" ? world.ours.id : randomUUID()}'`;
    });
    return isOfOne ? [{ name, call: `select public.${name}(${values.join(", ")})` }] : [];
  });
  expect(calls.map(({ name }) => name)).toContain("reward_codes");
  const told: string[] = [];
  await undone(sql, async (transaction) => {
    await transaction`
      update public.subscriptions set plan = 'pro', status = 'canceled', current_period_end = now() - interval '60 days'
      where org_id = ${world.ours.id}`;
    await become(transaction, { userId: world.ours.users.owner.id });
    const scans = ["seqscan", "indexscan", "bitmapscan"];
    for (const scan of scans) {
      const planned = scans.map((each) => `set local enable_${each} = ${each === scan}`);
      // A function keeps the plan of its first call otherwise.
      await transaction.unsafe([...planned, "discard plans"].join("; "));
      for (const { name, call } of calls) {
        const answer = await transaction
          .savepoint((inner) => inner.unsafe(call))
          .then(
            () => "nothing",
            (error: unknown) => (error instanceof postgres.PostgresError ? error.code : "lost"),
          );
        told.push(`${name} by ${scan}: ${answer}`);
      }
    }
  });
  // The till goes on: presence_board asks for no permission to read.
  const others = told.filter(
    (line) => !line.endsWith(": TV120") && !line.startsWith("presence_board"),
  );
  expect(others).toEqual([]);
});
