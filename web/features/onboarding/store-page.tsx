import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { USUAL_TIMEZONE } from "#domain/rules/constants.ts";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { ownNearTimezone } from "../../lib/near-timezones.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import type { SlugOwner } from "../../lib/slugs/use-slug-check.ts";
import { type SuggestedSlug, useSuggestedSlug } from "../../lib/slugs/use-suggested-slug.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { ReviewLinkField } from "../../ui/forms/review-link-field.tsx";
import { ReviewModeChoice } from "../../ui/forms/review-mode-choice.tsx";
import { SlugField } from "../../ui/forms/slug-field.tsx";
import { TextInput } from "../../ui/forms/text-input.tsx";
import { useUnsavedForm } from "../../ui/unsaved/use-unsaved-form.ts";
import { draftOf } from "./draft.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import { storeFailure, useSaveStore } from "./onboarding.mutations.ts";
import { type StoreForm, storeDraft, storeForm } from "./onboarding.schema.ts";
import { OnboardingLayout } from "./onboarding-layout.tsx";

const copy = onboardingCopy.store;

const BLANK: StoreForm = {
  name: "",
  slug: "",
  address: "",
  reviewUrl: "",
  confirmedHost: "",
  reviewMode: "compliant",
};

type StorePageProps = {
  userId: string;
  /** The store of an earlier visit, which this one corrects. */
  store: (StoreForm & { id: string }) | null;
};

/** `/onboarding/store`: step 2. */
export function StorePage({ userId, store }: StorePageProps) {
  usePageTitle(store ? copy.editTitle : copy.title);
  const navigate = useNavigate();
  const save = useSaveStore(store?.id ?? null);
  const [draft] = useState(() => draftOf(userId, "store", storeDraft));
  const [initial] = useState<StoreForm>(() => store ?? { ...BLANK, ...draft.read() });
  const form = useForm<StoreForm>({
    resolver: standardSchemaResolver(storeForm(store?.reviewUrl ?? null)),
    defaultValues: initial,
  });
  const values = { ...initial, ...useWatch({ control: form.control }) };
  const { name, slug, address, reviewUrl, reviewMode } = values;
  const suggested = useSuggestedSlug({
    name,
    slug,
    setSlug: (next) => form.setValue("slug", next, { shouldValidate: form.formState.isSubmitted }),
  });
  const isNew = store === null;
  const timezone = isNew ? ownNearTimezone() : null;
  useEffect(() => {
    if (isNew) draft.keep({ name, slug, address, reviewUrl, reviewMode });
  }, [draft, isNew, name, slug, address, reviewUrl, reviewMode]);

  // A new store has its draft.
  const found = useUnsavedForm(form, !isNew && form.formState.isDirty && !save.isSuccess);

  // A second click does nothing until the next page is there.
  const isBusy = save.isPending || save.isSuccess;
  const send = (next: StoreForm) => {
    if (isBusy) return;
    save.mutate(
      { ...next, timezone, isSuggested: suggested.isSuggested },
      {
        onSuccess: () => {
          draft.forget();
          void navigate({ to: "/onboarding/campaign", replace: true });
        },
      },
    );
  };

  return (
    <OnboardingLayout title={isNew ? copy.title : copy.editTitle} text={copy.text} step={2}>
      <form noValidate className="grid gap-5" onSubmit={form.handleSubmit(send, save.reset)}>
        {found}
        {save.isError && <Alert>{storeFailure(save.error)}</Alert>}
        <StoreFields form={form} slug={slug} suggested={suggested} owner={store} />
        <ReviewModeChoice
          field={form.register("reviewMode")}
          value={reviewMode}
          hint={copy.modeHint}
        />
        {timezone !== null && timezone !== USUAL_TIMEZONE && (
          <p className="text-pretty text-muted">{copy.timezone(timezoneLabel(timezone))}</p>
        )}
        <Button
          type="submit"
          size="lg"
          className="mt-2"
          busy={isBusy}
          incomplete={name.trim() === "" || address.trim() === ""}
        >
          {isNew ? copy.submit : copy.save}
        </Button>
      </form>
    </OnboardingLayout>
  );
}

type StoreFieldsProps = {
  form: UseFormReturn<StoreForm>;
  slug: string;
  suggested: SuggestedSlug;
  owner: SlugOwner | null;
};

/** Name of a store, its address, and its public reviews. */
function StoreFields({ form, slug, suggested, owner }: StoreFieldsProps) {
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
