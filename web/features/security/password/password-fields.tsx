import type { UseFormReturn } from "react-hook-form";
import { Field } from "../../../ui/forms/field.tsx";
import { PasswordInput } from "../../../ui/forms/password-input.tsx";
import { securityCopy } from "../security.copy.ts";
import type { PasswordValues } from "./password.schema.ts";

const copy = securityCopy.password;

type PasswordFieldsProps = { form: UseFormReturn<PasswordValues>; hasPassword: boolean };

/** The password that is, and the one that shall be, twice. */
export function PasswordFields({ form, hasPassword }: PasswordFieldsProps) {
  const { register, formState } = form;
  const field = (name: "current" | "password" | "confirmation") => {
    const message = formState.errors[name]?.message;
    return {
      // Blank fields are told together, above.
      error: message === copy.required ? undefined : message,
      invalid: message !== undefined,
    };
  };
  return (
    <>
      {hasPassword && (
        <Field label={copy.current} {...field("current")}>
          {(control) => (
            <PasswordInput {...control} {...register("current")} autoComplete="current-password" />
          )}
        </Field>
      )}
      <Field label={copy.next} hint={copy.nextHint} {...field("password")}>
        {(control) => (
          <PasswordInput {...control} {...register("password")} autoComplete="new-password" />
        )}
      </Field>
      <Field label={copy.confirmation} {...field("confirmation")}>
        {(control) => (
          <PasswordInput {...control} {...register("confirmation")} autoComplete="new-password" />
        )}
      </Field>
    </>
  );
}
