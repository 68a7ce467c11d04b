import type { UseFormReturn } from "react-hook-form";
import { Controller } from "react-hook-form";
import { NoPrizeNotice } from "../../../ui/campaign/no-prize-notice.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import type { CampaignForm } from "../campaign.schema.ts";
import { campaignsCopy } from "../campaigns.copy.ts";
import type { StoreChoice } from "../campaigns.queries.ts";

const copy = campaignsCopy.create;

type CampaignFieldsProps = {
  form: UseFormReturn<CampaignForm>;
  stores: readonly StoreChoice[];
  /** Whether something can be won from the start. */
  hasPrize: boolean;
};

/** Name of a new campaign, its store, and its days. */
export function CampaignFields({ form, stores, hasPrize }: CampaignFieldsProps) {
  const { register, formState, control } = form;
  const { errors } = formState;
  return (
    <>
      <Field label={copy.name} hint={copy.nameHint} error={errors.name?.message}>
        {(field) => (
          <TextInput
            {...field}
            {...register("name")}
            autoComplete="off"
            placeholder={copy.namePlaceholder}
          />
        )}
      </Field>
      <Field
        label={copy.description}
        hint={copy.descriptionHint}
        error={errors.description?.message}
      >
        {(field) => <TextArea {...field} {...register("description")} />}
      </Field>
      <Field label={copy.store} error={errors.storeId?.message}>
        {(field) => (
          <SelectInput {...field} {...register("storeId")}>
            <option value="">{copy.storeChoose}</option>
            {stores.map(({ id, name, address }) => (
              <option key={id} value={id}>
                {name} · {address}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label={copy.startsOn} hint={copy.startsHint} error={errors.startsOn?.message}>
          {(field) => <TextInput {...field} {...register("startsOn")} type="date" />}
        </Field>
        <Field label={copy.endsOn} hint={copy.endsHint} error={errors.endsOn?.message}>
          {(field) => <TextInput {...field} {...register("endsOn")} type="date" />}
        </Field>
      </div>
      <div>
        {!hasPrize && <NoPrizeNotice id="campaign-no-prize" />}
        <Controller
          control={control}
          name="active"
          render={({ field: { value, onChange } }) => (
            <Switch
              label={copy.active}
              hasText
              checked={value}
              onChange={onChange}
              describedBy={`campaign-active-hint${hasPrize ? "" : " campaign-no-prize"}`}
            />
          )}
        />
        <p id="campaign-active-hint" className="text-sm text-muted">
          {copy.activeHint}
        </p>
      </div>
    </>
  );
}
