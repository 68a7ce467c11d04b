import type { UseFormReturn } from "react-hook-form";
import { Field } from "../../../ui/field.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { FormSection } from "./form-section.tsx";
import type { RewardValues } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";

const { fields: copy, sections } = rewardFormCopy;

/** How many there are, for whom, until when, and what each costs. */
export function RewardLimitFields({ form }: { form: UseFormReturn<RewardValues> }) {
  const { register, formState, watch } = form;
  const { errors } = formState;
  return (
    <FormSection title={sections.limits}>
      <Field label={copy.stock} hint={copy.stockHint} error={errors.stock?.message}>
        {(control) => <TextInput {...control} {...register("stock")} inputMode="numeric" />}
      </Field>
      <Field label={copy.value} hint={copy.valueHint} error={errors.value?.message}>
        {(control) => <TextInput {...control} {...register("value")} inputMode="decimal" />}
      </Field>
      <Field label={copy.maxPerUser} error={errors.maxPerUser?.message}>
        {(control) => (
          <TextInput {...control} {...register("maxPerUser")} inputMode="numeric" required />
        )}
      </Field>
      {watch("type") !== "points" && (
        <Field label={copy.validityDays} error={errors.validityDays?.message}>
          {(control) => (
            <TextInput {...control} {...register("validityDays")} inputMode="numeric" required />
          )}
        </Field>
      )}
    </FormSection>
  );
}
