import type { UseFormRegisterReturn } from "react-hook-form";
import { useWorkspace } from "../../lib/workspace.ts";
import { Field } from "../../ui/forms/field.tsx";
import { SelectInput } from "../../ui/forms/select-input.tsx";
import { teamCopy } from "./team.copy.ts";

const copy = teamCopy.form;

/** At which store somebody validates codes; all of them by default. */
export function StoreChoice({ field }: { field: UseFormRegisterReturn }) {
  const stores = useWorkspace()?.stores ?? [];
  return (
    <Field label={copy.store} hint={copy.storeHint}>
      {(control) => (
        <SelectInput {...control} {...field}>
          <option value="">{copy.allStores}</option>
          {stores.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectInput>
      )}
    </Field>
  );
}
