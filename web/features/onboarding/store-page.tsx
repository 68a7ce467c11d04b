import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { usePageTitle } from "../../lib/page-title.ts";
import { useSuggestedSlug } from "../../lib/slugs/use-suggested-slug.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { ReviewModeChoice } from "../../ui/forms/review-mode-choice.tsx";
import { useUnsavedForm } from "../../ui/unsaved/use-unsaved-form.ts";
import { draftOf } from "./draft.ts";
import { storeFailure } from "./failures.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import { useSaveStore } from "./onboarding.mutations.ts";
import { type StoreForm, storeDraft, storeForm } from "./onboarding.schema.ts";
import { OnboardingLayout } from "./onboarding-layout.tsx";
import { StoreFields } from "./store-fields.tsx";

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
      { ...next, isSuggested: suggested.isSuggested },
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
