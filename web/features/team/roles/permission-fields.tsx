import { useId } from "react";
import type { UseFormRegister } from "react-hook-form";
import {
  PERMISSION_LEVELS,
  PERMISSION_SUBJECTS,
  type PermissionChoice,
  type PermissionSubject,
} from "#domain/rules/permissions.ts";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { rolesCopy } from "./roles.copy.ts";

/** Values of a role's form; selects give texts. */
export type RoleForm = {
  name: string;
  description: string;
  levels: Record<keyof PermissionChoice, string>;
};

/** How far each subject is open, one line a subject. */
export function PermissionFields({ register }: { register: UseFormRegister<RoleForm> }) {
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
