import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { errorsCopy } from "../../../lib/errors.copy.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PasswordInput } from "../../../ui/forms/password-input.tsx";
import { authCopy } from "../auth.copy.ts";
import { useResetPassword } from "../auth.mutations.ts";
import { resetSchema } from "../auth.schema.ts";
import { AuthLayout } from "../auth-layout.tsx";

const copy = authCopy.reset;

/** The new password, twice. */
export function ResetForm({ email, onDone }: { email: string; onDone: () => void }) {
  usePageTitle(copy.title);
  const reset = useResetPassword();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(resetSchema),
    defaultValues: { password: "", confirmation: "" },
    reValidateMode: "onSubmit",
  });
  const { password, confirmation } = formState.errors;
  const isBlank = [password, confirmation].some((error) => error?.message === copy.fieldsRequired);
  const ownError = (message: string | undefined) =>
    message === copy.fieldsRequired ? undefined : message;
  const problem = isBlank ? copy.fieldsRequired : reset.error && sentence(reset.error);

  return (
    <AuthLayout
      title={copy.title}
      text={
        <>
          <p>{copy.text}</p>
          <p className="mt-2 font-semibold wrap-anywhere">{email}</p>
        </>
      }
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={handleSubmit((values) => {
          if (!reset.isPending) reset.mutate(values.password, { onSuccess: onDone });
        }, reset.reset)}
      >
        {problem && <Alert>{problem}</Alert>}
        {/* Tells password managers whose password this is. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <Field
          label={copy.password}
          hint={authCopy.fields.passwordHint}
          error={ownError(password?.message)}
          invalid={Boolean(password)}
        >
          {(control) => (
            <PasswordInput {...control} {...register("password")} autoComplete="new-password" />
          )}
        </Field>
        <Field
          label={copy.confirmation}
          error={ownError(confirmation?.message)}
          invalid={Boolean(confirmation)}
        >
          {(control) => (
            <PasswordInput {...control} {...register("confirmation")} autoComplete="new-password" />
          )}
        </Field>
        <Button type="submit" size="lg" busy={reset.isPending} className="w-full">
          {copy.submit}
        </Button>
      </form>
    </AuthLayout>
  );
}

function sentence(error: Error): string {
  const known = errorMessage(error, authErrorsCopy);
  return known === errorsCopy.unknown ? copy.failed : known;
}
