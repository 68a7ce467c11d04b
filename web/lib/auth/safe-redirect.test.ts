import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeRedirect } from "./safe-redirect.ts";

const FALLBACK = "/encaisser";
const ORIGIN = "https://tournavis.fr";

/** Pieces that have opened redirects elsewhere, to be put together in any order. */
const piece = fc.constantFrom(
  ..."/ // \\ /\\ . .. ./ ../ %2f %5c %09 @ : ? # evil.fr tournavis.fr https: javascript: data: //evil.fr".split(
    " ",
  ),
  "\t",
  "\n",
  "\r",
  "\u0000",
  "\u00a0",
  "\u2028",
  "\uff0f",
  "\u3002",
);
const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

describe("after signing in", () => {
  test.each([
    "/encaisser",
    "/campaigns/1/edit?tab=wheel#segments",
    "/",
    "/clients?q=%2F%2Fevil.fr",
    "/auth-guide",
  ])("%s is kept", (target) => {
    expect(safeRedirect(target, FALLBACK)).toBe(target);
  });

  test.each([
    undefined,
    null,
    42,
    "",
    "encaisser",
    "//evil.fr",
    "///evil.fr",
    "/\\evil.fr",
    "\\\\evil.fr",
    "/\t/evil.fr",
    "/\n/evil.fr",
    "\u0000//evil.fr",
    "/.//evil.fr",
    "/x/..//evil.fr",
    "/%2e//evil.fr",
    "https://evil.fr",
    "https:evil.fr",
    "javascript:alert(1)",
    " /encaisser",
    "/auth",
    "/auth?redirect=/auth",
    "/auth/signup",
    "/./auth",
  ])("%j is refused", (target) => {
    expect(safeRedirect(target, FALLBACK)).toBe(FALLBACK);
  });

  test("nothing leaves the site", () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: "binary" }), fc.webUrl()), (target) => {
        const safe = safeRedirect(target, FALLBACK);
        expect(safe).toMatch(/^\/(?![/\\])/);
        expect(new URL(safe, ORIGIN).origin).toBe(ORIGIN);
      }),
      { numRuns: 2000 },
    );
  });

  test("what comes out goes in unchanged", () => {
    fc.assert(
      fc.property(
        hostile.map((text) => `/${text}`),
        (target) => {
          const safe = safeRedirect(target, FALLBACK);
          expect(safeRedirect(safe, FALLBACK)).toBe(safe);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
