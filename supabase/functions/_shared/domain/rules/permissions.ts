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

/** Permission that a custom role can have. */
export type RolePermission = (typeof PERMISSION_LEVELS)[PermissionSubject][number];

/** Anything that a role may be allowed to do; the last four are the owner's alone. */
export type Permission =
  | RolePermission
  | "organization.delete"
  | "organization.export"
  | "owners.manage"
  | "roles.manage";

function isSubject(name: string): name is PermissionSubject {
  return Object.hasOwn(PERMISSION_LEVELS, name);
}

/** Those subjects in the order in which they are shown. */
export const PERMISSION_SUBJECTS = Object.keys(PERMISSION_LEVELS).filter(isSubject);

/** One value a subject. */
export function bySubject<T>(of: (subject: PermissionSubject) => T): Record<PermissionSubject, T> {
  return {
    till: of("till"),
    activity: of("activity"),
    campaigns: of("campaigns"),
    rewards: of("rewards"),
    stores: of("stores"),
    customers: of("customers"),
    reviews: of("reviews"),
    codes: of("codes"),
    team: of("team"),
    billing: of("billing"),
    organization: of("organization"),
    audit: of("audit"),
    api: of("api"),
  };
}

/** How far each subject is open. */
export type PermissionChoice = Record<PermissionSubject, number>;

/** Nothing of anything. */
export const NO_PERMISSION: PermissionChoice = bySubject(() => 0);

/** The permissions of a choice: of each subject, as many as were chosen. */
export function permissionsOf(choice: PermissionChoice): string[] {
  return PERMISSION_SUBJECTS.flatMap((subject) =>
    PERMISSION_LEVELS[subject].slice(0, choice[subject]),
  );
}

/** The choice that permissions make: of each subject, the furthest. */
export function choiceOf(permissions: readonly string[]): PermissionChoice {
  return bySubject((subject) => {
    const levels: readonly string[] = PERMISSION_LEVELS[subject];
    return levels.findLastIndex((permission) => permissions.includes(permission)) + 1;
  });
}
