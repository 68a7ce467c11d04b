import { expect, it } from "vitest";
import type { TeamRole } from "#domain/schemas/team.ts";
import { rolesToGive } from "./place-fields.tsx";

const roleNamed = (role: string, may_give: boolean): TeamRole => ({
  role,
  name: null,
  description: "",
  permissions: [],
  members: 0,
  invitations: 0,
  has_power: may_give,
  may_give,
});

it("offers what the reader may give, the smallest first, and what somebody has already", () => {
  const all = ["owner", "admin", "member", "cashier", "own"].map((role) => roleNamed(role, true));
  expect(rolesToGive(all).map(({ role }) => role)).toEqual([
    "cashier",
    "member",
    "admin",
    "owner",
    "own",
  ]);
  const none = all.map(({ role }) => roleNamed(role, false));
  expect(rolesToGive(none)).toEqual([]);
  expect(rolesToGive(none, "member").map(({ role }) => role)).toEqual(["member"]);
});
