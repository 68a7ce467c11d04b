import type { TeamMember } from "#domain/schemas/team.ts";
import { teamCopy } from "./team.copy.ts";

/** Name to show for a member. */
export function memberName({ name, email }: TeamMember): string {
  return name ?? email ?? teamCopy.noName;
}

/** Tells the form of a member's place from others of its page. */
export const placeFormName = ({ id }: TeamMember) => `place of ${id}`;
