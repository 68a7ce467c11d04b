import * as z from "zod/mini";

/** Roles that are given with the platform (specification, section 6), the most powerful first. */
export const ROLES = ["owner", "admin", "member", "cashier"] as const;
const givenRole = z.enum(ROLES);
export type Role = z.infer<typeof givenRole>;

/** Whether a role is one of those that are given. */
export function isGivenRole(name: string): name is Role {
  return givenRole.safeParse(name).success;
}

/** Longest name and description of a custom role; SQL has the same limits. */
export const ROLE_NAME_MAX_LENGTH = 40;
export const ROLE_DESCRIPTION_MAX_LENGTH = 200;
