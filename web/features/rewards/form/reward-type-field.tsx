import type { UseFormReturn } from "react-hook-form";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import { Field } from "../../../ui/field.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import type { RewardValues } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";

const copy = rewardFormCopy.fields;

type TypeFieldProps = { form: UseFormReturn<RewardValues>; type: RewardType };

/** The one detail that a type has: percent, article or points. */
export function RewardTypeField({ form, type }: TypeFieldProps) {
  const { register, formState } = form;
  const { errors } = formState;
  if (type === "coupon") {
    return (
      <Field label={copy.discountPercent} error={errors.discountPercent?.message}>
        {(control) => (
          <TextInput {...control} {...register("discountPercent")} inputMode="decimal" />
        )}
      </Field>
    );
  }
  if (type === "gift") {
    return (
      <Field label={copy.item} error={errors.item?.message}>
        {(control) => <TextInput {...control} {...register("item")} maxLength={200} />}
      </Field>
    );
  }
  return (
    <Field label={copy.points} hint={copy.pointsHint} error={errors.points?.message}>
      {(control) => <TextInput {...control} {...register("points")} inputMode="numeric" required />}
    </Field>
  );
}
