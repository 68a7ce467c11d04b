import type { TeamMember } from "#domain/schemas/team.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { memberName } from "./member-name.ts";
import { teamCopy } from "./team.copy.ts";
import { useRemoveMember } from "./team.mutations.ts";
import { teamFailure } from "./team-failure.ts";

const copy = teamCopy.remove;

type RemoveMemberDialogProps = {
  member: TeamMember;
  onRemoved: (name: string) => void;
  onClose: () => void;
};

/** Asks whether somebody shall leave the team, and says what that means. */
export function RemoveMemberDialog({ member, onRemoved, onClose }: RemoveMemberDialogProps) {
  const remove = useRemoveMember();
  const name = memberName(member);
  return (
    <ConfirmDialog
      title={copy.title(name)}
      action={copy.action}
      busy={remove.isPending}
      problem={teamFailure(remove.error)}
      onConfirm={() => remove.mutate(member.id, { onSuccess: () => onRemoved(name) })}
      onClose={onClose}
    >
      {copy.text}
    </ConfirmDialog>
  );
}
