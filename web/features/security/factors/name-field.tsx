import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { securityCopy } from "../security.copy.ts";

const copy = securityCopy.factors;

/** Longest name of a factor: the list has to stay a list. */
const LONGEST = 60;

type NameFieldProps = { value: string; isBlank: boolean; onChange: (name: string) => void };

/** Name of a factor. */
export function NameField({ value, isBlank, onChange }: NameFieldProps) {
  return (
    <Field label={copy.name} hint={copy.nameHint} error={isBlank ? copy.nameRequired : undefined}>
      {(control) => (
        <TextInput
          {...control}
          value={value}
          maxLength={LONGEST}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
