import { expect, it } from "vitest";
import { pastMonths } from "./past-months.ts";

it("pastMonths are the twelve before this one, also across New Year", () => {
  const months = pastMonths("2026-03-31");
  expect(months).toHaveLength(12);
  expect(months.slice(0, 3)).toEqual([
    { day: "2026-02-01", name: "février 2026" },
    { day: "2026-01-01", name: "janvier 2026" },
    { day: "2025-12-01", name: "décembre 2025" },
  ]);
  expect(months.at(-1)?.day).toBe("2025-03-01");
});
