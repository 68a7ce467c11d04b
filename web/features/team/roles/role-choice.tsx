import type { UseFormRegisterReturn } from "react-hook-form";
import type { TeamRole } from "#domain/schemas/team.ts";
import { teamCopy } from "../team.copy.ts";
import { roleText, roleTitle } from "./role-words.ts";

type RoleChoiceProps = { field: UseFormRegisterReturn; roles: readonly TeamRole[] };

/** Choice of a role: all roles in view, each in a sentence. */
export function RoleChoice({ field, roles }: RoleChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-semibold">{teamCopy.form.role}</legend>
      {roles.map((role) => (
        <label
          key={role.role}
          className="flex cursor-pointer gap-3 rounded-field border-[1.5px] border-field bg-surface p-4 transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
        >
          <input
            type="radio"
            value={role.role}
            {...field}
            className="mt-1 size-4.5 shrink-0 accent-violet outline-none"
          />
          <span className="grid min-w-0 gap-0.5">
            <span className="font-semibold wrap-anywhere">{roleTitle(role)}</span>
            <span className="text-sm text-pretty wrap-anywhere text-muted">{roleText(role)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
