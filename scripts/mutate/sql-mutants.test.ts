import { describe, expect, it } from "vitest";
import { identityOf } from "./mutant.ts";
import { sqlMutants } from "./sql-mutants.ts";

/** Changes that the mutator makes to a function's body: kind, original, replacement. */
function changesOf(body: string): string[] {
  const text = `create function private.f(p integer) returns integer\nlanguage plpgsql set search_path = ''\nas $$\n${body}\n$$;`;
  return sqlMutants("f.sql", text).map(
    ({ mutator, original, replacement }) => `${mutator}: ${original} → ${replacement}`,
  );
}

describe("the mutator of SQL", () => {
  it.each([
    [
      "where a.x = b.y and a.z",
      ["dropped condition: a.x = b.y → true", "dropped condition: a.z → true"],
    ],
    [
      "where a or (b and c);",
      [
        "dropped condition: a → false",
        "dropped condition: (b and c) → false",
        "dropped condition: c → true",
      ],
    ],
    ["where a", ["dropped condition: a → true"]],
    ["if found then return; end if;", ["dropped condition: found → false"]],
    ["exit when found;", ["dropped condition: found → true"]],
    [
      "where d between a and b and c",
      ["dropped condition: d between a and b → true", "dropped condition: c → true"],
    ],
    [
      "where case when a then b end order by c",
      ["dropped condition: case when a then b end → true", "dropped condition: a → false"],
    ],
    ["where a is distinct from b returning a", ["dropped condition: a is distinct from b → true"]],
    [
      "from t join u on u.x = t.x and u.y left join v on v.x = t.x where a",
      [
        "dropped condition: u.x = t.x → true",
        "dropped condition: u.y → true",
        "dropped condition: v.x = t.x → true",
        "dropped condition: a → true",
      ],
    ],
    ["insert into t values (a) on conflict (x) do nothing;", []],
  ])("drops conditions: %s", (body, expected) => {
    expect(changesOf(body).filter((change) => change.startsWith("dropped"))).toEqual(expected);
  });

  it.each([
    ["a < b", ["moved bound: < → <="]],
    ["a >= b", ["moved bound: >= → >"]],
    ["a <> b and c -> 'x'", []],
    ["limit 30", ["moved bound: 30 → 31"]],
    ["'{600,20}'", ["moved bound: '{600,20}' → '{1200,21}'"]],
    ["interval '30 days'", ["moved bound: '30 days' → '31 days'"]],
    ["'30 words of nobody'", []],
    ["exists (select 1 from t)", []],
    ["select 1 + 0 into v", ["moved bound: 1 → 2", "moved bound: 0 → 1"]],
    ["hashtextextended(a, 2)", []],
  ])("moves bounds: %s", (body, expected) => {
    expect(changesOf(body).filter((change) => change.startsWith("moved"))).toEqual(expected);
  });

  it.each([
    [
      "for no key update of c skip locked;",
      ["removed lock: for no key update of c skip locked → "],
    ],
    ["for share;", ["removed lock: for share → "]],
    ["for i in a loop", []],
    [
      "perform pg_advisory_xact_lock(h(a, b));",
      ["removed lock: pg_advisory_xact_lock(h(a, b)) → null::text"],
    ],
  ])("removes locks: %s", (body, expected) => {
    expect(changesOf(body).filter((change) => change.startsWith("removed"))).toEqual(expected);
  });

  it("gives roles and permissions to others, in a function and in the right to call it", () => {
    expect(changesOf("role_may(r, 'team.manage')")).toEqual([
      "other role: 'team.manage' → 'stores.read'",
    ]);
    const text =
      "create function f() returns void\nlanguage sql volatile security definer as $$ select a $$;\ngrant execute on function f() to authenticated, service_role;";
    expect(sqlMutants("f.sql", text).map(identityOf)).toEqual([
      "f.sql f: other role: definer → invoker",
      "f.sql f: other role: authenticated → anon",
      "f.sql f: other role: service_role → authenticated",
    ]);
  });

  it.each([
    ["select a.x, a.y into v_x, v_y from a", ["swapped column: a.x, a.y → a.y, a.x"]],
    ["select a.x, a.y into v_record from a", []],
    ["select a.x, a.y from a order by a.x, a.y;", ["swapped column: a.x, a.y → a.y, a.x"]],
    ["select a.x, a.y from a group by a.x, a.y", []],
    [
      "insert into t (x, y) values (a, b);",
      ["swapped column: x, y → y, x", "swapped column: a, b → b, a"],
    ],
    ["o('x', a.x, 'y', a.y)", ["swapped column: a.x, 'y', a.y → a.y, 'y', a.x"]],
    ["on conflict (x, y) do nothing", []],
    ["select a.x + 1, a.y", []],
    ["f(null, true)", []],
  ])("swaps columns: %s", (body, expected) => {
    expect(changesOf(body).filter((change) => change.startsWith("swapped"))).toEqual(expected);
  });

  it.each([
    ["a is null", ["negation: null → not null"]],
    ["a is not null", ["negation: not null → null"]],
    ["not exists (x)", ["negation: not → "]],
    ["least(a, b + c)", ["opposite operation: least → greatest", "opposite operation: + → -"]],
    ["order by a desc", ["opposite operation: desc → asc"]],
    ["a := -b", []],
  ])("turns round: %s", (body, expected) => {
    expect(changesOf(body).filter((change) => /^(negation|opposite)/.test(change))).toEqual(
      expected,
    );
  });

  it("leaves comments, texts and what is no function alone", () => {
    expect(changesOf("-- a < b and c\n/* a < b */ raise exception 'a < 1 and b';")).toEqual([]);
    const table =
      "create table t (a integer check (a < 3 and a > 1));\ncomment on table t is 'a < 3';";
    expect(sqlMutants("t.sql", table)).toEqual([]);
  });

  it("plants a mutant alone, with a statement that takes its function's place", () => {
    const [mutant] = sqlMutants(
      "f.sql",
      "select 1;\ncreate function f() returns boolean language sql\nreturn (a < b);\nselect 2 < 3;",
    );
    expect(mutant).toMatchObject({ line: 3, where: "f", original: "<", replacement: "<=" });
    expect(mutant?.plant).toEqual({
      statement: "create or replace function f() returns boolean language sql\nreturn (a <= b)",
    });
  });

  it("takes a right back before another one has it", () => {
    const [mutant] = sqlMutants("f.sql", "grant execute on function f(text) to authenticated;");
    expect(mutant?.plant).toEqual({
      statement:
        "revoke execute on function f(text) from authenticated;\ngrant execute on function f(text) to anon",
    });
  });
});
