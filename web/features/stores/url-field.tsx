import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../../ui/field.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { storeFormCopy as copy } from "./store-form.copy.ts";

type UrlFieldProps = { field: UseFormRegisterReturn; error: string | undefined };

/** Where the store's public reviews are. */
export function UrlField({ field, error }: UrlFieldProps) {
  return (
    <Field label={copy.url} hint={copy.urlHint} error={error}>
      {(control) => (
        <TextInput
          {...control}
          {...field}
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={copy.urlPlaceholder}
        />
      )}
    </Field>
  );
}
