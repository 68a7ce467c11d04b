import type { UseFormReturn } from "react-hook-form";
import { suggestSlug } from "#domain/slugify.ts";
import { Field } from "../../ui/field.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import type { StoreForm } from "./store.schema.ts";
import { storeFormCopy as copy } from "./store-form.copy.ts";

type IdentityFieldsProps = { form: UseFormReturn<StoreForm>; isNew: boolean };

/** What a store is called and where it is. The slug of a new one follows the name until it is typed. */
export function IdentityFields({ form, isNew }: IdentityFieldsProps) {
  const { register, formState, getFieldState, setValue } = form;
  const { errors } = formState;
  const follow = (name: string) => {
    if (!isNew || getFieldState("slug").isTouched) return;
    setValue("slug", suggestSlug(name), { shouldValidate: formState.isSubmitted });
  };
  return (
    <>
      <Field label={copy.name} error={errors.name?.message}>
        {(field) => (
          <TextInput
            {...field}
            {...register("name", { onChange: (event) => follow(event.target.value) })}
            autoComplete="off"
          />
        )}
      </Field>
      <Field
        label={copy.slug}
        hint={isNew ? copy.slugHint : undefined}
        error={errors.slug?.message}
      >
        {(field) => (
          <TextInput
            {...field}
            {...register("slug")}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label={copy.address} error={errors.address?.message}>
        {(field) => <TextInput {...field} {...register("address")} autoComplete="street-address" />}
      </Field>
    </>
  );
}
