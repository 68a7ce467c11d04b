import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PasswordInput } from "../../../ui/forms/password-input.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { authCopy } from "../auth.copy.ts";
import { useConfirmSignUp } from "../auth.mutations.ts";
import { confirmSchema } from "../auth.schema.ts";
import { AuthLayout } from "../auth-layout.tsx";
import { linkProof } from "./link-proof.ts";

const copy = authCopy.confirm;

/** The link of a sign-up, opened in another browser: name and password are entered by the owner of the mailbox. */
export function ConfirmPage({ onDone }: { onDone: () => void }) {
  usePageTitle(copy.title);
  const confirm = useConfirmSignUp();
  const { register, handleSubmit, formState, getValues } = useForm({
    resolver: standardSchemaResolver(confirmSchema),
    defaultValues: { fullName: "", password: "" },
    reValidateMode: "onSubmit",
  });
  const { fullName, password } = formState.errors;
  const isBlank = Boolean(password) && !getValues("password");
  const problem = isBlank
    ? authCopy.rules.requiredFields
    : confirm.error && sentence(confirm.error);

  return (
    <AuthLayout title={copy.title} text={copy.text}>
      <form
        method="post"
        noValidate
        className="grid gap-5"
        onSubmit={handleSubmit((values) => {
          if (!confirm.isPending) confirm.mutate(values, { onSuccess: onDone });
        }, confirm.reset)}
      >
        {problem && <Alert>{problem}</Alert>}
        <Field label={authCopy.fields.fullName} error={fullName?.message}>
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
        <Field
          label={authCopy.fields.password}
          hint={copy.passwordHint}
          error={isBlank ? undefined : password?.message}
          invalid={Boolean(password)}
        >
          {(control) => (
            <PasswordInput {...control} {...register("password")} autoComplete="new-password" />
          )}
        </Field>
        <Button type="submit" size="lg" busy={confirm.isPending} className="mt-1 w-full">
          {copy.submit}
        </Button>
      </form>
      <p className="text-pretty text-muted">{copy.notYou}</p>
      <Button
        variant="quiet"
        className="justify-self-start"
        onClick={() => {
          linkProof.drop();
          onDone();
        }}
      >
        {copy.back}
      </Button>
    </AuthLayout>
  );
}

function sentence(error: Error): string {
  return errorMessage(error, { ...authErrorsCopy, ...authCopy.arrival.codes });
}
