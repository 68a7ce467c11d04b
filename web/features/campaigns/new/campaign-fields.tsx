import { Controller, type UseFormReturn, useWatch } from "react-hook-form";
import { tradeWheelsCopy } from "#domain/rules/trade-wheels.copy.ts";
import { TRADES } from "#domain/rules/trade-wheels.ts";
import type { CampaignItem } from "#domain/schemas/back-office.ts";
import { NoPrizeNotice } from "../../../ui/campaign/no-prize-notice.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { NamedOptions } from "../../../ui/forms/named-options.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { type CampaignForm, ORIGINS, STOCKS } from "../campaign.schema.ts";
import { campaignsCopy } from "../campaigns.copy.ts";
import type { StoreChoice } from "../campaigns.queries.ts";

const copy = campaignsCopy.create;

type OriginFieldsProps = {
  form: UseFormReturn<CampaignForm>;
  /** Campaigns whose rewards can be taken over; null while they are on their way. */
  sources: readonly CampaignItem[] | null;
};

/** Origin of a new campaign: nothing, the prizes of a trade, or those of another campaign. */
export function OriginFields({ form, sources }: OriginFieldsProps) {
  const { register, formState, control } = form;
  const { errors } = formState;
  const [origin, stock] = useWatch({ control, name: ["origin", "stock"] });
  return (
    <>
      <fieldset className="grid gap-2 sm:grid-cols-3">
        <legend className="mb-2 font-semibold">{copy.origin.title}</legend>
        {ORIGINS.map((name) => (
          <label
            key={name}
            className="grid min-h-11 cursor-pointer content-start rounded-field border-[1.5px] border-field bg-surface px-4 py-2.5 transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
          >
            <input type="radio" value={name} {...register("origin")} className="sr-only" />
            <span className="font-semibold">{copy.origin.choices[name].label}</span>
            <span className="text-sm text-muted">{copy.origin.choices[name].hint}</span>
          </label>
        ))}
      </fieldset>
      {origin === "template" && (
        <Field label={copy.origin.trade}>
          {(field) => (
            <SelectInput {...field} {...register("trade")}>
              {TRADES.map((trade) => (
                <option key={trade} value={trade}>
                  {tradeWheelsCopy[trade].name}
                </option>
              ))}
            </SelectInput>
          )}
        </Field>
      )}
      {origin === "copy" && sources?.length === 0 && (
        <div className="grid gap-1.5">
          <p className="text-muted">{copy.origin.noSource}</p>
          {errors.sourceId && (
            <p role="alert" className="text-sm font-medium text-coral-ink">
              {errors.sourceId.message}
            </p>
          )}
        </div>
      )}
      {origin === "copy" && sources && sources.length > 0 && (
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <Field label={copy.origin.source} error={errors.sourceId?.message}>
            {(field) => (
              <SelectInput {...field} {...register("sourceId")}>
                <NamedOptions of={sources} />
              </SelectInput>
            )}
          </Field>
          <Field
            label={copy.origin.stock}
            hint={stock === "shared" ? copy.origin.sharedHint : undefined}
          >
            {(field) => (
              <SelectInput {...field} {...register("stock")}>
                {STOCKS.map((name) => (
                  <option key={name} value={name}>
                    {copy.origin.stocks[name]}
                  </option>
                ))}
              </SelectInput>
            )}
          </Field>
          {stock === "count" && (
            <Field label={copy.origin.count} error={errors.stockCount?.message}>
              {(field) => (
                <TextInput
                  {...field}
                  {...register("stockCount")}
                  inputMode="numeric"
                  autoComplete="off"
                />
              )}
            </Field>
          )}
        </div>
      )}
    </>
  );
}

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
              <option key={id} value={id} dir="auto">
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
