import { isGivenRole } from "#domain/rules/roles.ts";
import type { TeamMember, TeamRole } from "#domain/schemas/team.ts";
import { AppError, errorMessage } from "../../lib/app-error.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { teamCopy } from "./team.copy.ts";

/** Name to show for a member. */
export function memberName({ name, email }: TeamMember): string {
  return name ?? email ?? teamCopy.noName;
}

/** Name of a role. */
export function roleTitle({ role, name }: Pick<TeamRole, "role" | "name">): string {
  return isGivenRole(role) ? teamCopy.roles[role] : (name ?? teamCopy.ownRole);
}

/** Purpose of a role; blank where its maker gave none. */
export function roleText({ role, description }: Pick<TeamRole, "role" | "description">): string {
  return isGivenRole(role) ? teamCopy.roleTexts[role] : description;
}

/** Why a change of the team was refused, and what to do about it. */
export function teamFailure(error: unknown): string | null {
  return error ? errorMessage(error, teamCopy.failures) : null;
}

/**
 * Why the team is not shown; null while it may be. A member removed in the meantime is informed, though what was
 * loaded before is still shown.
 */
export function teamLoadFailure({ error, data }: { error: unknown; data: unknown }): string | null {
  if (!error) return null;
  if (error instanceof AppError && error.code === "forbidden") return teamCopy.loadForbidden;
  return data ? null : loadFailure(error, teamCopy.loadFailed);
}
