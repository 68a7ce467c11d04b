/**
 * Permissions that a custom role can have: for each subject from the least to the most, each with
 * those before it. They are the permissions of administrators; a test compares them with the table
 * `role_permissions`.
 */
export const PERMISSION_LEVELS = {
  till: ["codes.redeem"],
  activity: ["activity.read"],
  campaigns: ["campaigns.read", "campaigns.write", "campaigns.delete"],
  rewards: ["rewards.read", "rewards.write", "rewards.delete"],
  stores: ["stores.read", "stores.write", "stores.delete"],
  customers: ["customers.read", "customers.write", "customers.delete"],
  reviews: ["reviews.read", "reviews.write"],
  codes: ["codes.read"],
  team: ["team.read", "team.manage"],
  billing: ["billing.read", "billing.manage"],
  organization: ["organization.update"],
  audit: ["audit.read"],
  api: ["api.manage"],
} as const satisfies Record<string, readonly string[]>;

export type PermissionSubject = keyof typeof PERMISSION_LEVELS;

/** Anything that a role may be allowed to do; the last four are the owner's alone. */
export type Permission =
  | (typeof PERMISSION_LEVELS)[PermissionSubject][number]
  | "organization.delete"
  | "organization.export"
  | "owners.manage"
  | "roles.manage";

/** Those subjects in the order in which they are shown. */
export const PERMISSION_SUBJECTS = [
  "till",
  "activity",
  "campaigns",
  "rewards",
  "stores",
  "customers",
  "reviews",
  "codes",
  "team",
  "billing",
  "organization",
  "audit",
  "api",
] as const satisfies readonly PermissionSubject[];

/** How far each subject is open. */
export type PermissionChoice = Record<PermissionSubject, number>;

/** Nothing of anything. */
export const NO_PERMISSION: PermissionChoice = {
  till: 0,
  activity: 0,
  campaigns: 0,
  rewards: 0,
  stores: 0,
  customers: 0,
  reviews: 0,
  codes: 0,
  team: 0,
  billing: 0,
  organization: 0,
  audit: 0,
  api: 0,
};

/** The permissions of a choice: of each subject, as many as were chosen. */
export function permissionsOf(choice: PermissionChoice): string[] {
  return PERMISSION_SUBJECTS.flatMap((subject) =>
    PERMISSION_LEVELS[subject].slice(0, choice[subject]),
  );
}

/** The choice that permissions make: of each subject, the furthest. */
export function choiceOf(permissions: readonly string[]): PermissionChoice {
  const choice = { ...NO_PERMISSION };
  for (const subject of PERMISSION_SUBJECTS) {
    const levels: readonly string[] = PERMISSION_LEVELS[subject];
    choice[subject] = levels.findLastIndex((permission) => permissions.includes(permission)) + 1;
  }
  return choice;
}
