import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { errorMessage } from "../../lib/app-error.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { authCopy } from "./auth.copy.ts";
import { useSignIn } from "./auth.mutations.ts";
import { signInSchema } from "./sign-in.schema.ts";

const copy = authCopy.signIn;

/** E-mail and password. What was typed stays when signing in fails. */
export function SignInForm() {
  const signIn = useSignIn();
  const { register, handleSubmit, formState, getValues } = useForm({
    resolver: standardSchemaResolver(signInSchema),
    defaultValues: { email: "", password: "" },
    reValidateMode: "onSubmit",
  });
  const { errors } = formState;
  const isBlank = { email: !getValues("email").trim(), password: !getValues("password") };
  const hasBlank = (errors.email && isBlank.email) || (errors.password && isBlank.password);
  const problem = hasBlank
    ? copy.requiredFields
    : signIn.error && errorMessage(signIn.error, authCopy.errors);

  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={handleSubmit((values) => {
        if (!signIn.isPending) signIn.mutate(values);
      }, signIn.reset)}
    >
      {problem && <Alert>{problem}</Alert>}
      <Field
        label={copy.email}
        error={isBlank.email ? undefined : errors.email?.message}
        invalid={Boolean(errors.email)}
      >
        {(control) => (
          <TextInput
            {...control}
            {...register("email")}
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label={copy.password} invalid={Boolean(errors.password)}>
        {(control) => (
          <PasswordInput {...control} {...register("password")} autoComplete="current-password" />
        )}
      </Field>
      <Button type="submit" size="lg" busy={signIn.isPending} className="mt-1 w-full">
        {copy.submit}
      </Button>
    </form>
  );
}
