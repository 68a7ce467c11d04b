import { type UseFormReturn, useWatch } from "react-hook-form";
import { tradeWheelsCopy } from "#domain/rules/trade-wheels.copy.ts";
import { TRADES } from "#domain/rules/trade-wheels.ts";
import type { CampaignItem } from "#domain/schemas/back-office.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { type CampaignForm, ORIGINS, STOCKS } from "../campaign.schema.ts";
import { campaignsCopy } from "../campaigns.copy.ts";

const copy = campaignsCopy.create.origin;

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
        <legend className="mb-2 font-semibold">{copy.title}</legend>
        {ORIGINS.map((name) => (
          <label
            key={name}
            className="grid min-h-11 cursor-pointer content-start rounded-field border-[1.5px] border-field bg-surface px-4 py-2.5 transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
          >
            <input type="radio" value={name} {...register("origin")} className="sr-only" />
            <span className="font-semibold">{copy.choices[name].label}</span>
            <span className="text-sm text-muted">{copy.choices[name].hint}</span>
          </label>
        ))}
      </fieldset>
      {origin === "template" && (
        <Field label={copy.trade}>
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
          <p className="text-muted">{copy.noSource}</p>
          {errors.sourceId && (
            <p role="alert" className="text-sm font-medium text-coral-ink">
              {errors.sourceId.message}
            </p>
          )}
        </div>
      )}
      {origin === "copy" && sources && sources.length > 0 && (
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <Field label={copy.source} error={errors.sourceId?.message}>
            {(field) => (
              <SelectInput {...field} {...register("sourceId")}>
                {sources.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectInput>
            )}
          </Field>
          <Field label={copy.stock} hint={stock === "shared" ? copy.sharedHint : undefined}>
            {(field) => (
              <SelectInput {...field} {...register("stock")}>
                {STOCKS.map((name) => (
                  <option key={name} value={name}>
                    {copy.stocks[name]}
                  </option>
                ))}
              </SelectInput>
            )}
          </Field>
          {stock === "count" && (
            <Field label={copy.count} error={errors.stockCount?.message}>
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
