import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useSuggestedSlug } from "../../../lib/slugs/use-suggested-slug.ts";
import { ReviewModeChoice } from "../../../ui/forms/review-mode-choice.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { storesCopy } from "../stores.copy.ts";
import { useCreateStore } from "../stores.mutations.ts";
import { IdentityFields } from "./identity-fields.tsx";
import { BLANK, isIncomplete, type StoreForm, storeForm } from "./store.schema.ts";
import { storeFormCopy as copy } from "./store-form.copy.ts";
import { StoreFormFrame, UrlField, useLeaveToList } from "./store-form.tsx";

/** `/stores/new`. */
export function NewStorePage() {
  usePageTitle(copy.newTitle);
  const form = useForm<StoreForm>({
    resolver: standardSchemaResolver(storeForm()),
    defaultValues: BLANK,
  });
  const create = useCreateStore();
  const leave = useLeaveToList();
  const isUnsaved = form.formState.isDirty && !create.isSuccess;
  const leaveWarning = useLeaveWarning(isUnsaved);
  const found = useUnsavedForm(form, isUnsaved);
  const { name, slug } = form.watch();
  const suggested = useSuggestedSlug({
    name,
    slug,
    setSlug: (next) => form.setValue("slug", next, { shouldValidate: form.formState.isSubmitted }),
  });
  const send = (values: StoreForm) => {
    if (create.isPending) return;
    create.mutate({ ...values, isSuggested: suggested.isSuggested }, { onSuccess: leave });
  };
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader back={{ to: "/stores", label: storesCopy.back }} title={copy.newTitle} />
      <StoreFormFrame
        action={copy.create}
        busy={create.isPending}
        incomplete={isIncomplete(form.watch())}
        error={create.error}
        isNew
        onSubmit={form.handleSubmit(send, create.reset)}
      >
        {found}
        <IdentityFields form={form} store={null} suggested={suggested} />
        <UrlField
          field={form.register("url")}
          value={form.watch()}
          errors={form.formState.errors}
          onConfirm={(host) =>
            form.setValue("confirmedHost", host, {
              shouldDirty: true,
              shouldValidate: form.formState.isSubmitted,
            })
          }
        />
        <ReviewModeChoice field={form.register("mode")} value={form.watch("mode")} />
      </StoreFormFrame>
      {leaveWarning}
    </div>
  );
}
