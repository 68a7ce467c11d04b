import { describe, expect, it } from "vitest";
import { parseFilters } from "./change-filters.ts";

const one = (column: string, operator: string, ...values: string[]) => ({
  column,
  operator,
  negated: false,
  values,
});

describe("the filter of a subscription", () => {
  it.each([
    ["", []],
    [" ", []],
    ["note=eq.a", [one("note", "eq", "a")]],
    ["note=eq.", [one("note", "eq", "")]],
    ["note=not.eq.a", [{ ...one("note", "eq", "a"), negated: true }]],
    ["note=eq.a,id=gt.1", [one("note", "eq", "a"), one("id", "gt", "1")]],
    ["note=eq.a=b.c", [one("note", "eq", "a=b.c")]],
    // A comma belongs to a value in quotation marks, and in parentheses.
    ['note=eq."a,b",id=gt.1', [one("note", "eq", "a,b"), one("id", "gt", "1")]],
    ['note=eq."a\\",b"', [one("note", "eq", 'a",b')]],
    ['note=eq."a\\\\",id=gt.1', [one("note", "eq", "a\\"), one("id", "gt", "1")]],
    ["note=eq.(a,b)", [one("note", "eq", "(a,b)")]],
    ["id=in.(1,2)", [one("id", "in", "1", "2")]],
    ['note=in.("a,b", ")" ,c)', [one("note", "in", "a,b", ")", "c")]],
    // A quotation mark within a word is one of its signs: five inches.
    ['note=eq.5",id=gt.1', [one("note", "eq", '5"'), one("id", "gt", "1")]],
    ['note=in.(5",6")', [one("note", "in", '5"', '6"')]],
  ])("is read: %s", (text, filters) => {
    expect(parseFilters(text)).toEqual({ filters });
  });

  it.each(["note", "=eq.a", "note=eq", "note=match.a", "note=in.1,2", "note=in.(1", "note=eq.a,"])(
    "is refused with the part that cannot be read: %s",
    (text) => {
      expect(parseFilters(text)).toEqual({
        reason: expect.stringMatching(/^Error parsing `filter` params: "/),
      });
    },
  );

  it("has five conditions at most", () => {
    const conditions = (count: number) => Array.from({ length: count }, () => "id=gt.1").join(",");
    expect(parseFilters(conditions(5))).toHaveProperty("filters.length", 5);
    expect(parseFilters(conditions(6))).toEqual({ reason: "Too many conditions in `filter`" });
  });
});
