import type { UseFormReturn } from "react-hook-form";
import type { SlugOwner } from "../../../lib/slugs/use-slug-check.ts";
import type { SuggestedSlug } from "../../../lib/slugs/use-suggested-slug.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { SlugField } from "../../../ui/forms/slug-field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import type { StoreForm } from "./store.schema.ts";
import { storeFormCopy as copy } from "./store-form.copy.ts";

type IdentityFieldsProps = {
  form: UseFormReturn<StoreForm>;
  /** The store that the form changes; null for a new one. */
  store: SlugOwner | null;
  /** Of a new one: the slug follows the name. */
  suggested?: SuggestedSlug;
};

/** Name and address of a store. The slug of a new one follows the name until it is typed. */
export function IdentityFields({ form, store, suggested }: IdentityFieldsProps) {
  const { register, formState, setValue, watch } = form;
  const { errors } = formState;
  const isNew = store === null;
  return (
    <>
      <Field label={copy.name} error={errors.name?.message}>
        {(field) => (
          <TextInput
            {...field}
            {...register("name", { onChange: (event) => suggested?.follow(event.target.value) })}
            autoComplete="off"
          />
        )}
      </Field>
      <SlugField
        kind="store"
        label={copy.slug}
        hint={isNew ? copy.slugHint : undefined}
        value={watch("slug")}
        owner={store}
        error={errors.slug?.message}
        field={register("slug")}
        {...(suggested && { suggested })}
        onTake={(free) => setValue("slug", free, { shouldDirty: true, shouldValidate: true })}
      />
      <Field label={copy.address} error={errors.address?.message}>
        {(field) => <TextInput {...field} {...register("address")} autoComplete="street-address" />}
      </Field>
    </>
  );
}
