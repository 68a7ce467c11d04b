import { isGivenRole } from "#domain/rules/roles.ts";
import type { TeamRole } from "#domain/schemas/team.ts";
import { teamCopy } from "../team.copy.ts";

/** Name of a role. */
export function roleTitle({ role, name }: Pick<TeamRole, "role" | "name">): string {
  return isGivenRole(role) ? teamCopy.roles[role] : (name ?? teamCopy.ownRole);
}

/** Purpose of a role; blank where its maker gave none. */
export function roleText({ role, description }: Pick<TeamRole, "role" | "description">): string {
  return isGivenRole(role) ? teamCopy.roleTexts[role] : description;
}

/** Whether whoever has a role works at the till alone, and so perhaps at one store's. */
export function isTillRole(roles: readonly TeamRole[], role: string): boolean {
  const found = roles.find((one) => one.role === role);
  return found !== undefined && !found.permissions.includes("stores.read");
}

/** The roles that the reader may give now, from the smallest of the given to the largest, then one's own. */
export function rolesToGive(roles: readonly TeamRole[], current?: string): readonly TeamRole[] {
  const offered = roles.filter(({ role, may_give }) => may_give || role === current);
  const given = offered.filter(({ role }) => isGivenRole(role));
  const own = offered.filter(({ role }) => !isGivenRole(role));
  return [...given.toReversed(), ...own];
}
