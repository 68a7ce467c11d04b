import { describe, expect, it } from "vitest";
import { NotStorableError, parseStorable } from "./storable-json.ts";

/** Lists in lists. */
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("a body that PostgreSQL shall store", () => {
  it.each([
    '{"a":[1,true,null,"é 🎡"],"b":{}}',
    String.raw`{"wheel":"\ud83c\udfa1"}`,
    String.raw`{"path":"\\u0000 \\ud83c"}`,
    nested(50),
    "null",
  ])("is what JSON says: %s", (text) => {
    expect(parseStorable(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ["at the end", String.raw`"Bravo \ud83c"`, "Bravo �"],
    ["at the start", String.raw`"\udfa1 bravo"`, "� bravo"],
    ["the wrong way round", String.raw`"\udfa1\ud83c"`, "��"],
    ["within lists", String.raw`[["\ud83c"]]`, [["�"]]],
    ["in a name", String.raw`{"\ud83c":1}`, { "�": 1 }],
  ])("has half a surrogate pair mended %s", (_, text, value) => {
    expect(parseStorable(text)).toEqual(value);
  });

  it.each([
    String.raw`"a\u0000b"`,
    String.raw`{"a\u0000b":1}`,
    String.raw`[{"a":["\u0000"]}]`,
    nested(51),
    nested(60_000),
    '{"name":{"length":{"toString":null}}}',
    '[{"toString":"Ana"}]',
  ])("is refused: %.20s", (text) => {
    expect(() => parseStorable(text)).toThrow(NotStorableError);
  });

  it.each(["", "{", "{a:1}", '"\0"'])("has to be JSON: %j", (text) => {
    expect(() => parseStorable(text)).toThrow(SyntaxError);
  });

  it("keeps a field that would be the prototype a field", () => {
    expect(Object.keys(Object(parseStorable('{"__proto__":{"a":1}}')))).toEqual(["__proto__"]);
  });
});
