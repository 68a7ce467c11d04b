import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { ALREADY_MEMBER, AppError } from "../../lib/app-error.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useSuggestedSlug } from "../../lib/slugs/use-suggested-slug.ts";
import type { WantedPlan } from "../../lib/wanted-plan.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button, ButtonRow } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Field } from "../../ui/forms/field.tsx";
import { SlugField } from "../../ui/forms/slug-field.tsx";
import { TextInput } from "../../ui/forms/text-input.tsx";
import { draftOf } from "./draft.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import { organizationFailure, useCreateOrganization } from "./onboarding.mutations.ts";
import { type OrganizationForm, organizationDraft, organizationForm } from "./onboarding.schema.ts";
import { OnboardingLayout, WantedNotice } from "./onboarding-layout.tsx";

const copy = onboardingCopy.organization;

/** `/onboarding/organization`: step 1. What is typed stays when one leaves, or the platform refuses it. */
export function OrganizationPage({ userId, wanted }: { userId: string; wanted: WantedPlan }) {
  usePageTitle(copy.title);
  const navigate = useNavigate();
  const create = useCreateOrganization();
  const [draft] = useState(() => draftOf(userId, "organization", organizationDraft));
  const [initial] = useState<OrganizationForm>(() => draft.read() ?? { name: "", slug: "" });
  const form = useForm<OrganizationForm>({
    resolver: standardSchemaResolver(organizationForm),
    defaultValues: initial,
  });
  const { register, control, formState, setValue } = form;
  const { name = "", slug = "" } = useWatch({ control });
  const suggested = useSuggestedSlug({
    name,
    slug,
    setSlug: (next) => setValue("slug", next, { shouldValidate: formState.isSubmitted }),
  });
  useEffect(() => draft.keep({ name, slug }), [draft, name, slug]);

  // A second click does nothing until the next page is there.
  const isBusy = create.isPending || create.isSuccess;
  const send = (values: OrganizationForm) => {
    if (isBusy) return;
    create.mutate(
      { ...values, isSuggested: suggested.isSuggested },
      {
        onSuccess: () => {
          draft.forget();
          const { plan, billing } = wanted;
          if (!plan) void navigate({ to: "/onboarding/store", replace: true });
          else {
            const search = { plan, ...(billing && { billing }) };
            void navigate({ to: "/checkout", search, replace: true });
          }
        },
        onError: (error) => {
          if (error instanceof AppError && error.code === ALREADY_MEMBER) {
            draft.forget();
            void navigate({ to: "/onboarding/existing", replace: true });
          }
        },
      },
    );
  };
  const isKnown = create.error instanceof AppError && create.error.code === ALREADY_MEMBER;

  return (
    <OnboardingLayout title={copy.title} text={copy.text} step={1}>
      {wanted.plan && <WantedNotice plan={wanted.plan} />}
      <form noValidate className="grid gap-5" onSubmit={form.handleSubmit(send, create.reset)}>
        {create.isError && !isKnown && <Alert>{organizationFailure(create.error)}</Alert>}
        <Field label={copy.name} error={formState.errors.name?.message}>
          {(field) => (
            <TextInput
              {...field}
              {...register("name", { onChange: (event) => suggested.follow(event.target.value) })}
              autoComplete="organization"
              placeholder={copy.namePlaceholder}
            />
          )}
        </Field>
        <SlugField
          kind="organization"
          label={copy.slug}
          hint={copy.slugHint}
          prefix={copy.slugPrefix}
          value={slug}
          error={formState.errors.slug?.message}
          field={register("slug")}
          suggested={suggested}
          onTake={(free) => setValue("slug", free, { shouldDirty: true, shouldValidate: true })}
        />
        <ButtonRow isStacked className="mt-2">
          <Link
            to="/onboarding"
            search={wanted}
            className={buttonClass({ variant: "quiet", size: "lg" })}
          >
            {copy.back}
          </Link>
          <Button
            type="submit"
            size="lg"
            className="sm:flex-1"
            busy={isBusy}
            incomplete={name.trim() === ""}
          >
            {copy.submit}
          </Button>
        </ButtonRow>
      </form>
    </OnboardingLayout>
  );
}
