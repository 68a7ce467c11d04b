import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ListLink } from "../../ui/list-link.tsx";
import { useLeaveWarning } from "../../ui/use-leave-warning.tsx";
import { useUnsavedForm } from "../../ui/use-unsaved-form.ts";
import { WayToPlans } from "../../ui/way-to-plans.tsx";
import { type CampaignForm, campaignForm } from "./campaign.schema.ts";
import { CampaignFields } from "./campaign-fields.tsx";
import { campaignsCopy } from "./campaigns.copy.ts";
import { creationFailure, useCreateCampaign } from "./campaigns.mutations.ts";
import type { StoreChoice } from "./campaigns.queries.ts";

const copy = campaignsCopy.create;

type NewCampaignFormProps = {
  orgId: string;
  stores: readonly StoreChoice[];
};

/** The form of a new campaign. Where there is one store, it is chosen already. */
export function NewCampaignForm({ orgId, stores }: NewCampaignFormProps) {
  const navigate = useNavigate();
  const create = useCreateCampaign(orgId);
  const [only, ...others] = stores;
  const form = useForm<CampaignForm>({
    resolver: standardSchemaResolver(campaignForm),
    defaultValues: {
      name: "",
      description: "",
      storeId: only && others.length === 0 ? only.id : "",
      startsOn: "",
      endsOn: "",
      active: true,
    },
  });
  const [name = "", storeId] = useWatch({ control: form.control, name: ["name", "storeId"] });
  // A second click does nothing until the list is there.
  const isBusy = create.isPending || create.isSuccess;
  const isUnsaved = form.formState.isDirty && !create.isSuccess;
  const warning = useLeaveWarning(isUnsaved);
  const found = useUnsavedForm(form, isUnsaved);

  const send = (values: CampaignForm) => {
    const store = stores.find(({ id }) => id === values.storeId);
    if (isBusy || !store) return;
    create.mutate({ ...values, timezone: store.timezone });
  };
  // After the warning has seen that everything is saved.
  useEffect(() => {
    if (create.isSuccess) void navigate({ to: "/campaigns", replace: true });
  }, [create.isSuccess, navigate]);

  return (
    <form
      noValidate
      className="grid gap-6 rounded-card bg-surface p-5 shadow-card sm:p-8"
      onSubmit={form.handleSubmit(send, create.reset)}
    >
      {found}
      {create.isError && (
        <Alert>
          <p>{creationFailure(create.error)}</p>
          <WayToPlans error={create.error} />
        </Alert>
      )}
      <CampaignFields form={form} stores={stores} />
      <div className="mt-2 grid gap-3 sm:flex sm:flex-row-reverse">
        <Button
          type="submit"
          size="lg"
          className="sm:min-w-48"
          busy={isBusy}
          incomplete={name.trim() === "" || !storeId}
        >
          {copy.submit}
        </Button>
        <ListLink to="/campaigns" className={buttonClass({ variant: "quiet", size: "lg" })}>
          {copy.cancel}
        </ListLink>
      </div>
      {warning}
    </form>
  );
}
