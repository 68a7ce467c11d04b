import { useId } from "react";
import { useForm } from "react-hook-form";
import type { TeamMember, TeamRole } from "#domain/schemas/team.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";
import { useCloseWarning } from "../../ui/unsaved/use-close-warning.tsx";
import { useUnsavedForm } from "../../ui/unsaved/use-unsaved-form.ts";
import { useModal } from "../../ui/use-modal.ts";
import { PlaceFields, rolesToGive } from "./place-fields.tsx";
import { teamCopy } from "./team.copy.ts";
import { type Place, useChangeRole } from "./team.mutations.ts";
import { memberName, teamFailure } from "./team-words.ts";

const copy = teamCopy.changeRole;

type RoleDialogProps = {
  member: TeamMember;
  roles: readonly TeamRole[];
  onSaved: (name: string) => void;
  onClose: () => void;
};

/** Tells the form of a member's place from others of its page. */
export const placeFormName = ({ id }: TeamMember) => `place of ${id}`;

/** Gives a member another role. Rendered only while it is asked; Escape says no. */
export function RoleDialog({ member, roles, onSaved, onClose }: RoleDialogProps) {
  const dialog = useModal();
  const id = useId();
  const name = memberName(member);
  const change = useChangeRole();
  const problem = teamFailure(change.error);
  const form = useForm<Place>({
    defaultValues: { role: member.role, storeId: member.store?.id ?? "" },
  });
  const { isDirty } = form.formState;
  const isUnsaved = isDirty && !change.isSuccess;
  const { close, warning } = useCloseWarning(isUnsaved, onClose);
  const found = useUnsavedForm(form, isUnsaved, placeFormName(member));
  const send = (values: Place) => {
    if (change.isPending) return;
    change.mutate({ id: member.id, ...values }, { onSuccess: () => onSaved(name) });
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!change.isPending) close();
      }}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(32rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-surface p-6 text-ink shadow-card backdrop:bg-ink/50 dark:backdrop:bg-black/60"
    >
      <form noValidate className="grid gap-5" onSubmit={form.handleSubmit(send)}>
        <div className="grid gap-1">
          <h2 id={id} className="text-xl wrap-anywhere">
            {copy.title(name)}
          </h2>
          <p className="text-muted">{copy.text}</p>
        </div>
        {found}
        <PlaceFields
          roles={roles}
          offered={rolesToGive(roles, member.role)}
          role={form.watch("role")}
          register={form.register}
        />
        {problem && <Alert>{problem}</Alert>}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" waiting={change.isPending} onClick={close}>
            {uiCopy.cancel}
          </Button>
          <Button type="submit" busy={change.isPending}>
            {copy.save}
          </Button>
        </div>
      </form>
      {warning}
    </dialog>
  );
}
