import type { UseFormReturn } from "react-hook-form";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import { Choice } from "../../../ui/forms/choice.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { TranslationFields } from "../../../ui/forms/translation-fields.tsx";
import { rewardsCopy } from "../rewards.copy.ts";
import type { CampaignChoice } from "../rewards.queries.ts";
import { FormSection } from "./form-section.tsx";
import { NAME_MAX, type RewardValues } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";
import { RewardPictureField } from "./reward-picture-field.tsx";

const { fields: copy, sections } = rewardFormCopy;

const TYPES = [
  { name: "coupon", label: rewardsCopy.types.coupon },
  { name: "gift", label: rewardsCopy.types.gift },
  { name: "points", label: rewardsCopy.types.points },
] as const;

type WhatProps = { form: UseFormReturn<RewardValues>; campaigns: CampaignChoice[] };

/** What is won, and in which campaign. */
export function RewardWhatFields({ form, campaigns }: WhatProps) {
  const { register, formState, watch, setValue } = form;
  const { errors } = formState;
  const type = watch("type");
  return (
    <FormSection title={sections.what}>
      <div className="sm:col-span-2">
        <Field label={copy.name} hint={copy.nameHint} error={errors.name?.message}>
          {(control) => (
            <TextInput
              {...control}
              {...register("name")}
              maxLength={NAME_MAX}
              autoComplete="off"
              required
            />
          )}
        </Field>
      </div>
      <div className="sm:col-span-2">
        <TranslationFields
          text={watch("name")}
          values={watch("translations")}
          most={NAME_MAX}
          onChange={(values) => setValue("translations", values, { shouldDirty: true })}
        />
      </div>
      <div className="grid gap-1.5 sm:col-span-2">
        <p aria-hidden="true" className="font-semibold">
          {copy.type}
        </p>
        <Choice
          label={copy.type}
          options={TYPES}
          current={type}
          onChange={(name) => setValue("type", name, { shouldDirty: true })}
        />
      </div>
      <Field label={copy.campaign} error={errors.campaignId?.message}>
        {(control) => (
          <SelectInput {...control} {...register("campaignId")} required>
            <option value="" disabled>
              {copy.chooseCampaign}
            </option>
            {campaigns.map(({ id, name, active }) => (
              <option key={id} value={id}>
                {active ? name : copy.inactiveCampaign(name)}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      <RewardTypeField form={form} type={type} />
      <RewardPictureField form={form} />
      <div className="sm:col-span-2">
        <Field
          label={copy.description}
          hint={copy.descriptionHint}
          error={errors.description?.message}
        >
          {(control) => <TextArea {...control} {...register("description")} maxLength={2000} />}
        </Field>
      </div>
    </FormSection>
  );
}

type TypeFieldProps = { form: UseFormReturn<RewardValues>; type: RewardType };

/** The one detail that a type has: percent, article or points. */
function RewardTypeField({ form, type }: TypeFieldProps) {
  const { register, formState } = form;
  const { errors } = formState;
  if (type === "coupon") {
    return (
      <Field label={rewardFormCopy.fields.discountPercent} error={errors.discountPercent?.message}>
        {(control) => (
          <TextInput {...control} {...register("discountPercent")} inputMode="decimal" />
        )}
      </Field>
    );
  }
  if (type === "gift") {
    return (
      <Field label={rewardFormCopy.fields.item} error={errors.item?.message}>
        {(control) => <TextInput {...control} {...register("item")} maxLength={200} />}
      </Field>
    );
  }
  return (
    <Field
      label={rewardFormCopy.fields.points}
      hint={rewardFormCopy.fields.pointsHint}
      error={errors.points?.message}
    >
      {(control) => <TextInput {...control} {...register("points")} inputMode="numeric" required />}
    </Field>
  );
}
