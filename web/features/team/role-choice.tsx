import type { UseFormRegisterReturn } from "react-hook-form";
import { ROLES, type Role } from "#domain/team.ts";
import { teamCopy } from "./team.copy.ts";

type RoleChoiceProps = { field: UseFormRegisterReturn; canMakeOwners: boolean };

/** The roles that may be given, from the smallest to the largest, with what each may do. */
function rolesFor(canMakeOwners: boolean): readonly Role[] {
  return ROLES.filter((role) => canMakeOwners || role !== "owner").toReversed();
}

/** What somebody will be: all roles in view, each in a sentence. */
export function RoleChoice({ field, canMakeOwners }: RoleChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-semibold">{teamCopy.form.role}</legend>
      {rolesFor(canMakeOwners).map((role) => (
        <label
          key={role}
          className="flex cursor-pointer gap-3 rounded-field border-[1.5px] border-field bg-surface p-4 transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
        >
          <input
            type="radio"
            value={role}
            {...field}
            className="mt-1 size-4.5 shrink-0 accent-violet outline-none"
          />
          <span className="grid gap-0.5">
            <span className="font-semibold">{teamCopy.roles[role]}</span>
            <span className="text-sm text-pretty text-muted">{teamCopy.roleTexts[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
