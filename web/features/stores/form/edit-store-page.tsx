import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { StoreRow } from "#domain/schemas/stores.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { storesCopy } from "../stores.copy.ts";
import { useSaveStore } from "../stores.mutations.ts";
import { IdentityFields } from "./identity-fields.tsx";
import { identityWrite, isIncomplete, type StoreForm, storeForm, toForm } from "./store.schema.ts";
import { storeFormCopy as copy } from "./store-form.copy.ts";
import { StoreFormFrame, useLeaveToList, WithStore } from "./store-form.tsx";

/** `/stores/{id}/edit`: name, identifier and address. */
export function EditStorePage({ storeId }: { storeId: string }) {
  usePageTitle(copy.editTitle);
  return (
    <WithStore storeId={storeId}>
      {(store, reload) => <EditStore store={store} onReload={reload} />}
    </WithStore>
  );
}

function EditStore({ store, onReload }: { store: StoreRow; onReload: () => void }) {
  const [initial] = useState(store);
  const form = useForm<StoreForm>({
    // The address of the reviews belongs to the settings: an old one does not stop this form.
    resolver: standardSchemaResolver(storeForm(initial.google_review_url)),
    defaultValues: { ...toForm(initial), url: "" },
  });
  const save = useSaveStore(initial);
  const leave = useLeaveToList();
  const isUnsaved = form.formState.isDirty && !save.isSuccess;
  const leaveWarning = useLeaveWarning(isUnsaved);
  const found = useUnsavedForm(form, isUnsaved);
  const send = (values: StoreForm) => {
    if (!save.isPending) save.mutate(identityWrite(values), { onSuccess: leave });
  };
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader back={{ to: "/stores", label: storesCopy.back }} title={copy.editTitle} />
      <StoreFormFrame
        action={copy.save}
        busy={save.isPending}
        incomplete={isIncomplete(form.watch())}
        error={save.error}
        onSubmit={form.handleSubmit(send, save.reset)}
        onReload={onReload}
      >
        {found}
        <IdentityFields form={form} store={initial} />
      </StoreFormFrame>
      {leaveWarning}
    </div>
  );
}
