import { describe, expect, it } from "vitest";
import { readQuery } from "./query.ts";

const NOTHING = {
  select: null,
  columns: null,
  conflict: null,
  filters: [],
  order: [],
  limit: null,
  offset: 0,
};

const filter = (column: string, operator: string, value: string, isNegated = false) => ({
  filters: [{ column, operator, value, isNegated }],
});

describe("an address", () => {
  it.each([
    ["", {}],
    ["select=*", {}],
    ["select=id, name", { select: ["id", "name"].map((name) => ({ column: name, name })) }],
    ["select=title:name", { select: [{ column: "name", name: "title" }] }],
    ['columns=id,"name"', { columns: ["id", "name"] }],
    ["on_conflict=org_id,slug", { conflict: ["org_id", "slug"] }],
    ["limit=0", { limit: 0 }],
    ["limit=999999999&offset=2", { limit: 999_999_999, offset: 2 }],
    ["name=eq.a.b", filter("name", "eq", "a.b")],
    ["name=eq.", filter("name", "eq", "")],
    ["name=eq.a\nb", filter("name", "eq", "a\nb")],
    ["name=not.ilike.*é*", filter("name", "ilike", "*é*", true)],
    ["name=is.null", filter("name", "is", "null")],
    ["name=in.(a, b,c)", filter("name", "in", '{"a"," b","c"}')],
    ["name=not.in.(a)", filter("name", "in", '{"a"}', true)],
  ])("that is plain is read: %s", (address, parts) => {
    expect(readQuery(new URLSearchParams(address.replaceAll("+", "%2B")))).toEqual({
      ...NOTHING,
      ...parts,
    });
  });

  it.each([
    ["name", "name asc"],
    ["name.desc", "name desc"],
    ["name.asc.nullsfirst", "name asc nulls first"],
    ["name.nullslast", "name asc nulls last"],
    ["name.desc,id", "name desc, id asc"],
  ])("orders by %s", (order, sql) => {
    const read = readQuery(new URLSearchParams({ order }));
    expect(read?.order.map(({ column, direction }) => `${column} ${direction}`).join(", ")).toBe(
      sql,
    );
  });

  it("has all filters, also two of one column", () => {
    const read = readQuery(new URLSearchParams("id=gt.1&id=lt.9&name=neq.x"));
    expect(read?.filters.map(({ column, operator, value }) => [column, operator, value])).toEqual([
      ["id", "gt", "1"],
      ["id", "lt", "9"],
      ["name", "neq", "x"],
    ]);
  });

  it.each([
    "select=id,name,id",
    "select=id:name,id",
    "select=",
    "select=name::text",
    "select=stores(id)",
    "select=meta->a",
    "select=count()",
    "select=id&select=name",
    "columns=id,na me",
    "on_conflict=a.b",
    "order=name.up",
    "order=name,name.desc",
    "order=stores(name)",
    "order=",
    "limit=-1",
    "limit=1.5",
    "limit=1000000000",
    "limit=1&limit=2",
    "offset=x",
    "or=(id.eq.1,id.eq.2)",
    "and=(id.eq.1,id.eq.2)",
    "name=a",
    "name=eq",
    "name=fts.a",
    "name=eq(any).{a}",
    "name=not.not.eq.a",
    "Name=eq.a",
    "stores.name=eq.a",
    "meta->a=eq.1",
    "name=in.()",
    "name=in.a",
    'name=in.("a",b)',
    "name=in.(a,,b)",
    "name=in.(a)b)",
    "name=in.({a})",
    "name=in.(a\\b)",
  ])("with more than that is left to the library: %s", (address) => {
    expect(readQuery(new URLSearchParams(address))).toBeNull();
  });
});
