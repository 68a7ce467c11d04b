import { expect, it } from "vitest";
import { readPush } from "./read-push.ts";

const asked = (store: string, prize: string) =>
  readPush({ template: "low_stock", data: { store, prize, stock: 2 } }).body;

it("keeps two names that are read from the right in their places", () => {
  expect(asked("מאפייה", "קפה (2)")).toMatch(
    /^\u2068מאפייה\u2069, «\s\u2068קפה \(2\)\u2069\s»\s: plus que 2\.$/u,
  );
  expect(asked("Le Comptoir", "Café")).not.toMatch(/[\u2066-\u2069]/u);
  expect(asked("מ".repeat(90), "Café")).toMatch(/^\u2068מ{79}…\u2069, /u);
});
