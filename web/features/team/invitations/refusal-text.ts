import type { InvitationPage } from "#domain/schemas/team.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { invitationCopy } from "./invitation.copy.ts";

type Closed = Extract<InvitationPage, { state: "open" }>["closed"];

/** Sentence that says why nobody may join now: the refusal of an attempt, else what the invitation says; null for neither. */
export function refusalText(closed: Closed, refused: Error | null = null): string | null {
  if (refused) return errorMessage(refused, invitationCopy.failures);
  return closed && invitationCopy.failures[closed];
}
