import type { ReactNode } from "react";
import { Field } from "./field.tsx";
import { SelectInput } from "./select-input.tsx";

type SelectFieldProps = {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string | undefined;
  onChange: (value: string) => void;
  children: ReactNode;
};

/** One of many, with its label. */
export function SelectField({ value, onChange, children, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <SelectInput {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {children}
        </SelectInput>
      )}
    </Field>
  );
}
