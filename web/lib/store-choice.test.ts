import { expect, test } from "vitest";
import { chosenStore } from "./store-choice.ts";

const halles = { id: "a", name: "Les Halles" };
const port = { id: "b", name: "Le Port" };

test("a till stays with the store that it was given", () => {
  expect(chosenStore([halles, port], "b")).toBe(port);
});

test("a store that is gone, or never chosen, gives way to the first", () => {
  expect(chosenStore([halles, port], "gone")).toBe(halles);
  expect(chosenStore([halles, port], null)).toBe(halles);
});

test("without a store there is no till", () => {
  expect(chosenStore([], "a")).toBeNull();
});
