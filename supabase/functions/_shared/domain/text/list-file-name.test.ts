import { expect, it } from "vitest";
import { listFileName } from "./list-file-name.ts";

it.each([
  ["", "codes-2026-12-12.csv"],
  ["Café offert, -10 %", "codes-cafe-offert-10-2026-12-12.csv"],
  ["咖啡", "codes-2026-12-12.csv"],
  ["../..\\:*?", "codes-2026-12-12.csv"],
])("a list of codes of « %s » is in the file %s", (of, name) => {
  expect(listFileName("redemptions", of, "2026-12-12")).toBe(name);
});
