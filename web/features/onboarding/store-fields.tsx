import type { UseFormReturn } from "react-hook-form";
import type { SlugOwner } from "../../lib/slugs/use-slug-check.ts";
import type { SuggestedSlug } from "../../lib/slugs/use-suggested-slug.ts";
import { Field } from "../../ui/forms/field.tsx";
import { ReviewLinkField } from "../../ui/forms/review-link-field.tsx";
import { SlugField } from "../../ui/forms/slug-field.tsx";
import { TextInput } from "../../ui/forms/text-input.tsx";
import { onboardingCopy } from "./onboarding.copy.ts";
import type { StoreForm } from "./onboarding.schema.ts";

const copy = onboardingCopy.store;

type StoreFieldsProps = {
  form: UseFormReturn<StoreForm>;
  slug: string;
  suggested: SuggestedSlug;
  owner: SlugOwner | null;
};

/** Name of a store, its address, and its public reviews. */
export function StoreFields({ form, slug, suggested, owner }: StoreFieldsProps) {
  const { register, formState, setValue, watch } = form;
  const { errors } = formState;
  return (
    <>
      <Field label={copy.name} error={errors.name?.message}>
        {(field) => (
          <TextInput
            {...field}
            {...register("name", { onChange: (event) => suggested.follow(event.target.value) })}
            autoComplete="off"
            placeholder={copy.namePlaceholder}
          />
        )}
      </Field>
      <SlugField
        kind="store"
        label={copy.slug}
        hint={copy.slugHint}
        value={slug}
        owner={owner}
        error={errors.slug?.message}
        field={register("slug")}
        suggested={suggested}
        onTake={(free) => setValue("slug", free, { shouldDirty: true, shouldValidate: true })}
      />
      <Field label={copy.address} error={errors.address?.message}>
        {(field) => (
          <TextInput
            {...field}
            {...register("address")}
            autoComplete="street-address"
            placeholder={copy.addressPlaceholder}
          />
        )}
      </Field>
      <ReviewLinkField
        label={copy.reviewUrl}
        hint={copy.reviewUrlHint}
        placeholder={copy.reviewUrlPlaceholder}
        field={register("reviewUrl")}
        value={watch("reviewUrl")}
        error={errors.reviewUrl?.message}
        confirmed={watch("confirmedHost")}
        onConfirm={(host) =>
          setValue("confirmedHost", host, {
            shouldDirty: true,
            shouldValidate: formState.isSubmitted,
          })
        }
        confirmError={errors.confirmedHost?.message}
      />
    </>
  );
}
