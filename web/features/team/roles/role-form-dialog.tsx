import { useId, useState } from "react";
import { type UseFormRegister, useForm } from "react-hook-form";
import {
  bySubject,
  choiceOf,
  PERMISSION_LEVELS,
  PERMISSION_SUBJECTS,
  type PermissionSubject,
} from "#domain/rules/permissions.ts";
import { ROLE_DESCRIPTION_MAX_LENGTH, ROLE_NAME_MAX_LENGTH, ROLES } from "#domain/rules/roles.ts";
import type { TeamRole } from "#domain/schemas/team.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { useCloseWarning } from "../../../ui/unsaved/use-close-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { teamCopy } from "../team.copy.ts";
import { useSaveRole } from "../team.mutations.ts";
import { rolesCopy } from "./roles.copy.ts";

const copy = rolesCopy.form;

type RoleFormDialogProps = {
  /** The role to change; null for a new one. */
  role: TeamRole | null;
  onSaved: (name: string) => void;
  onClose: () => void;
};

const GIVEN_NAMES = ROLES.map((role) => teamCopy.roles[role].toLowerCase());

function checkName(typed: string): string | true {
  const name = seenText(typed);
  if (name === "") return copy.nameRequired;
  return GIVEN_NAMES.includes(name.toLowerCase()) ? copy.nameGiven : true;
}

/** Identifies the form of a role, or of a new one, on its page. */
export const roleFormName = (role: TeamRole | null) => `role ${role?.role ?? ""}`;

/** Makes or changes a role. Rendered only while it is asked; Escape says no. */
export function RoleFormDialog({ role, onSaved, onClose }: RoleFormDialogProps) {
  const save = useSaveRole();
  const [isEmpty, setIsEmpty] = useState(false);
  const opened = choiceOf(role?.permissions ?? []);
  const form = useForm<RoleForm>({
    defaultValues: {
      name: role?.name ?? "",
      description: role?.description ?? "",
      levels: bySubject((subject) => String(opened[subject])),
    },
  });
  const { errors, isDirty } = form.formState;
  const isUnsaved = isDirty && !save.isSuccess;
  const { close, warning } = useCloseWarning(isUnsaved, onClose);
  const found = useUnsavedForm(form, isUnsaved, roleFormName(role));
  const send = ({ name, description, levels }: RoleForm) => {
    if (save.isPending) return;
    const choice = bySubject((subject) => Number(levels[subject]));
    const isNothing = PERMISSION_SUBJECTS.every((subject) => choice[subject] === 0);
    setIsEmpty(isNothing);
    if (isNothing) return;
    save.mutate(
      { ...(role && { role: role.role }), name: seenText(name), description, choice },
      { onSuccess: () => onSaved(seenText(name)) },
    );
  };
  return (
    <Dialog
      title={role?.name ? copy.editTitle(role.name) : copy.createTitle}
      width="w-xl"
      locked={save.isPending}
      onSubmit={form.handleSubmit(send, save.reset)}
      onClose={close}
    >
      {found}
      <Field label={copy.name} error={errors.name?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...form.register("name", { validate: checkName })}
            maxLength={ROLE_NAME_MAX_LENGTH}
            autoComplete="off"
          />
        )}
      </Field>
      <Field label={copy.description} hint={copy.descriptionHint}>
        {(control) => (
          <TextInput
            {...control}
            {...form.register("description")}
            maxLength={ROLE_DESCRIPTION_MAX_LENGTH}
            autoComplete="off"
          />
        )}
      </Field>
      <PermissionFields register={form.register} />
      {isEmpty && <Alert>{copy.permissionsRequired}</Alert>}
      {save.error && <Alert>{errorMessage(save.error, rolesCopy.failures)}</Alert>}
      <ButtonRow>
        <Button variant="secondary" waiting={save.isPending} onClick={close}>
          {uiCopy.cancel}
        </Button>
        <Button type="submit" busy={save.isPending}>
          {copy.submit}
        </Button>
      </ButtonRow>
      {warning}
    </Dialog>
  );
}

/** Values of a role's form; selects give texts. */
type RoleForm = {
  name: string;
  description: string;
  levels: Record<PermissionSubject, string>;
};

/** How far each subject is open, one line a subject. */
function PermissionFields({ register }: { register: UseFormRegister<RoleForm> }) {
  const id = useId();
  return (
    <fieldset className="grid gap-3">
      <legend className="font-semibold">{rolesCopy.form.permissions}</legend>
      <p className="text-sm text-pretty text-muted">{rolesCopy.form.permissionsHint}</p>
      <div className="grid divide-y divide-line border-y border-line">
        {PERMISSION_SUBJECTS.map((subject) => (
          <div
            key={subject}
            className="grid items-center gap-x-4 gap-y-2 py-3 sm:grid-cols-[1fr_13rem]"
          >
            <div className="grid gap-0.5">
              <label htmlFor={`${id}-${subject}`} className="font-medium">
                {rolesCopy.subjects[subject]}
              </label>
              <p id={`${id}-${subject}-opens`} className="text-sm text-pretty text-muted">
                {rolesCopy.opens[subject]}
              </p>
            </div>
            <SelectInput
              id={`${id}-${subject}`}
              aria-describedby={`${id}-${subject}-opens`}
              {...register(`levels.${subject}`)}
            >
              <Levels subject={subject} />
            </SelectInput>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Levels({ subject }: { subject: PermissionSubject }) {
  return (
    <>
      <option value="0">{rolesCopy.none}</option>
      {PERMISSION_LEVELS[subject].map((permission, index) => (
        <option key={permission} value={index + 1}>
          {rolesCopy.levels[permission]}
        </option>
      ))}
    </>
  );
}
