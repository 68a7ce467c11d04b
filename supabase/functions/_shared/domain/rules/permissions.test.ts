import { expect, it } from "vitest";
import { choiceOf, NO_PERMISSION, PERMISSION_SUBJECTS, permissionsOf } from "./permissions.ts";

/** Permissions of a custom role, and the choice that they restore. */

it("allows of each subject as much as was chosen, with what comes before it", () => {
  expect(permissionsOf({ ...NO_PERMISSION, till: 1, campaigns: 2, customers: 3 })).toEqual([
    "codes.redeem",
    "campaigns.read",
    "campaigns.write",
    "customers.read",
    "customers.write",
    "customers.delete",
  ]);
  expect(permissionsOf(NO_PERMISSION)).toEqual([]);
});

it("reads the furthest of each subject, whatever else there is", () => {
  expect(choiceOf(["campaigns.write", "team.manage", "team.read", "owners.manage"])).toEqual({
    ...NO_PERMISSION,
    campaigns: 2,
    team: 2,
  });
  expect(choiceOf([])).toEqual(NO_PERMISSION);
  expect(Object.keys(NO_PERMISSION)).toEqual([...PERMISSION_SUBJECTS]);
  expect(Object.values(NO_PERMISSION).every((level) => level === 0)).toBe(true);
});

it.each(PERMISSION_SUBJECTS)("gives back what was chosen of %s alone", (subject) => {
  for (const level of [0, 1]) {
    const choice = { ...NO_PERMISSION, [subject]: level };
    expect(choiceOf(permissionsOf(choice))).toEqual(choice);
  }
});
