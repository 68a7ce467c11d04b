import { describe, expect, it } from "vitest";
import { noteWait, retryAfter, takeWait } from "./retry-after.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z");

describe("how long to wait", () => {
  it.each([
    ["60", 60],
    ["Sat, 21 Nov 2026 10:01:30 GMT", 90],
    ["Sat, 21 Nov 2026 09:00:00 GMT", null],
    ["0", null],
    ["999999999", null],
    ["soon", null],
    ["", null],
    [null, null],
  ])("%j is %j seconds", (header, seconds) => {
    expect(retryAfter(header, NOW)).toBe(seconds);
  });

  it("is kept of a refusal, and taken once", () => {
    noteWait(new Response(null, { status: 429, headers: { "retry-after": "30" } }));
    noteWait(new Response(null, { status: 200 }));
    expect([takeWait(), takeWait()]).toEqual([30, null]);
  });
});
