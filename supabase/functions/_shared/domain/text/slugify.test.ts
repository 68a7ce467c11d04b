import { expect, it } from "vitest";
import { isSlug, suggestSlug } from "./slugify.ts";

it.each([
  ["Le Café de la Gare", "le-cafe-de-la-gare"],
  ["!!!", ""],
  ["a".repeat(81), "a".repeat(80)],
  // Cut behind a word: what would be left of the gap goes, too.
  [`${"a".repeat(79)} bistrot`, "a".repeat(79)],
  [`${"a".repeat(40)} ${"b".repeat(60)}`, `${"a".repeat(40)}-${"b".repeat(39)}`],
])("« %s » suggests %j", (name, slug) => {
  expect(suggestSlug(name)).toBe(slug);
});

it("a slug has 80 characters at most, and no hyphen at its ends", () => {
  expect(isSlug("a".repeat(80))).toBe(true);
  for (const text of ["", "-a", "a-", "a--b", "A", "é", "a b", "a\nb", "a".repeat(81)]) {
    expect(isSlug(text)).toBe(false);
  }
});
