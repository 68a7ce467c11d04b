import type { UseFormReturn } from "react-hook-form";
import { Field } from "../../../ui/forms/field.tsx";
import { PasswordInput } from "../../../ui/forms/password-input.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { authCopy } from "../auth.copy.ts";
import type { Credentials, Method, Mode } from "../auth.schema.ts";

const copy = authCopy.fields;

type CredentialsFieldsProps = { mode: Mode; method: Method; form: UseFormReturn<Credentials> };

/** Fields to sign in and to sign up. Mistakes of blank ones are said together, above. */
export function CredentialsFields({ mode, method, form }: CredentialsFieldsProps) {
  const { register, formState, getValues } = form;
  const { errors } = formState;
  const isNew = mode === "signup";
  /** The sentence of a field that holds something wrong; a blank one is only marked. */
  const ownError = (name: "email" | "phone" | "password") =>
    getValues(name).trim() ? errors[name]?.message : undefined;

  return (
    <>
      {isNew && (
        <Field label={copy.fullName} error={errors.fullName?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...register("fullName")}
              autoComplete="name"
              autoCapitalize="words"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      {method === "email" ? (
        <Field label={copy.email} error={ownError("email")} invalid={Boolean(errors.email)}>
          {(control) => (
            <TextInput
              {...control}
              {...register("email")}
              type="email"
              inputMode="email"
              autoComplete={isNew ? "email" : "username"}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </Field>
      ) : (
        <Field
          label={copy.phone}
          hint={copy.phoneHint}
          error={ownError("phone")}
          invalid={Boolean(errors.phone)}
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("phone")}
              type="tel"
              inputMode="tel"
              autoComplete="tel"
            />
          )}
        </Field>
      )}
      <Field
        label={copy.password}
        hint={isNew ? copy.passwordHint : undefined}
        error={ownError("password")}
        invalid={Boolean(errors.password)}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...register("password")}
            autoComplete={isNew ? "new-password" : "current-password"}
          />
        )}
      </Field>
    </>
  );
}
