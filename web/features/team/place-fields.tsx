import { Link } from "@tanstack/react-router";
import type { UseFormRegisterReturn } from "react-hook-form";
import { isGivenRole } from "#domain/rules/roles.ts";
import type { TeamRole } from "#domain/schemas/team.ts";
import { formatNumber } from "../../lib/format.ts";
import { useMay } from "../../lib/use-may.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { Field } from "../../ui/forms/field.tsx";
import { NamedOptions } from "../../ui/forms/named-options.tsx";
import { SelectInput } from "../../ui/forms/select-input.tsx";
import { teamCopy } from "./team.copy.ts";
import { roleText, roleTitle } from "./team-words.ts";

const { form: copy, full: fullCopy } = teamCopy;

/** The roles that the reader may give now, from the smallest of the given to the largest, then one's own. */
export function rolesToGive(roles: readonly TeamRole[], current?: string): readonly TeamRole[] {
  const offered = roles.filter(({ role, may_give }) => may_give || role === current);
  const given = offered.filter(({ role }) => isGivenRole(role));
  const own = offered.filter(({ role }) => !isGivenRole(role));
  return [...given.toReversed(), ...own];
}

/** Whether a role works at the till alone, and so perhaps at a single store. */
function isTillRole(roles: readonly TeamRole[], role: string): boolean {
  const found = roles.find((one) => one.role === role);
  return found !== undefined && !found.permissions.includes("stores.read");
}

type PlaceFieldsProps = {
  roles: readonly TeamRole[];
  /** Those of them that can be chosen. */
  offered: readonly TeamRole[];
  /** The role that is chosen now. */
  role: string;
  register: (name: "role" | "storeId") => UseFormRegisterReturn;
};

/** A member's place in the team: a role and, for the till, a store. */
export function PlaceFields({ roles, offered, role, register }: PlaceFieldsProps) {
  return (
    <>
      <RoleChoice field={register("role")} roles={offered} />
      {isTillRole(roles, role) && <StoreChoice field={register("storeId")} />}
    </>
  );
}

type RoleChoiceProps = { field: UseFormRegisterReturn; roles: readonly TeamRole[] };

/** Choice of a role: all roles in view, each in a sentence. */
function RoleChoice({ field, roles }: RoleChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-semibold">{copy.role}</legend>
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

/** Store at which a member validates codes; all of them by default. */
function StoreChoice({ field }: { field: UseFormRegisterReturn }) {
  const stores = useWorkspace()?.stores ?? [];
  return (
    <Field label={copy.store} hint={copy.storeHint}>
      {(control) => (
        <SelectInput {...control} {...field}>
          <option value="">{copy.allStores}</option>
          <NamedOptions of={stores} />
        </SelectInput>
      )}
    </Field>
  );
}

/** All seats of the plan are taken: says so where one more is wanted, with the way to larger plans. */
export function SeatsNotice({ limit }: { limit: number }) {
  const mayUpgrade = useMay().mayOpen("/pricing");
  return (
    <div
      role="status"
      className="grid justify-items-start gap-3 rounded-field bg-sun-soft p-4 text-sun-ink"
    >
      <div className="grid gap-1">
        <p className="font-semibold">{fullCopy.text(formatNumber(limit))}</p>
        <p>{fullCopy.hint}</p>
      </div>
      {mayUpgrade && (
        <Link to="/pricing" className={buttonClass()}>
          {fullCopy.upgrade}
        </Link>
      )}
    </div>
  );
}
