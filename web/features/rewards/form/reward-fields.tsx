import { type ReactNode, useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import {
  CODE_TEMPLATE_MAX_LENGTH,
  DESCRIPTION_MAX_LENGTH,
  ITEM_MAX_LENGTH,
  NAME_MAX_LENGTH,
} from "#domain/rules/constants.ts";
import { prizePicture } from "#domain/rules/prize-picture.ts";
import { PRIZE_DRAWINGS } from "#domain/rules/prize-pictures.ts";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import { Choice } from "../../../ui/forms/choice.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { TranslationFields } from "../../../ui/forms/translation-fields.tsx";
import { PrizePicture } from "../../../ui/prize-picture.tsx";
import { rewardsCopy } from "../rewards.copy.ts";
import type { CampaignChoice } from "../rewards.queries.ts";
import { codeExample, hasOwnItem, pictureOf, type RewardValues } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";

const { fields: copy, pictures, sections } = rewardFormCopy;

const TYPES = [
  { name: "coupon", label: rewardsCopy.types.coupon },
  { name: "gift", label: rewardsCopy.types.gift },
  { name: "points", label: rewardsCopy.types.points },
] as const;

type WhatProps = { form: UseFormReturn<RewardValues>; campaigns: CampaignChoice[] };

/** Name, type and campaign of the reward. */
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
              maxLength={NAME_MAX_LENGTH}
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
          most={NAME_MAX_LENGTH}
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
      {hasOwnItem(watch()) && (
        <div className="sm:col-span-2">
          <TranslationFields
            title={copy.itemTranslations}
            text={watch("item")}
            values={watch("itemTranslations")}
            most={ITEM_MAX_LENGTH}
            onChange={(values) => setValue("itemTranslations", values, { shouldDirty: true })}
          />
        </div>
      )}
      <RewardPictureField form={form} />
      <div className="sm:col-span-2">
        <Field
          label={copy.description}
          hint={copy.descriptionHint}
          error={errors.description?.message}
        >
          {(control) => (
            <TextArea
              {...control}
              {...register("description")}
              maxLength={DESCRIPTION_MAX_LENGTH}
            />
          )}
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
      <Field
        label={rewardFormCopy.fields.item}
        hint={rewardFormCopy.fields.itemHint}
        error={errors.item?.message}
      >
        {(control) => <TextInput {...control} {...register("item")} maxLength={ITEM_MAX_LENGTH} />}
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

const CHOICES = ["none", ...prizePicture.options] as const;

/** The picture of a reward: what its name suggests, until one is chosen. */
function RewardPictureField({ form }: { form: UseFormReturn<RewardValues> }) {
  const group = useId();
  const values = form.watch();
  const current = pictureOf(values) ?? "none";
  return (
    <fieldset aria-describedby={`${group}-hint`} className="grid gap-1.5 sm:col-span-2">
      <legend className="mb-1.5 font-semibold">{copy.picture}</legend>
      <p id={`${group}-hint`} className="text-sm text-muted">
        {values.picture === "guessed" ? copy.pictureGuessed : copy.pictureHint}
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-2">
        {CHOICES.map((choice) => (
          <label
            key={choice}
            className="grid min-h-20 cursor-pointer content-center justify-items-center gap-1.5 rounded-field border-[1.5px] border-field bg-surface p-2 text-center text-sm leading-tight font-medium text-muted transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
          >
            <input
              type="radio"
              name={group}
              value={choice}
              checked={choice === current}
              onChange={() => form.setValue("picture", choice, { shouldDirty: true })}
              className="sr-only"
            />
            {choice !== "none" && (
              <PrizePicture
                drawing={PRIZE_DRAWINGS[choice]}
                className={`size-8 ${choice === current ? "text-violet" : ""}`}
              />
            )}
            {pictures[choice]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

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
      {watch("type") === "points" ? (
        <Field
          label={copy.pointsDays}
          hint={copy.pointsDaysHint}
          error={errors.pointsDays?.message}
        >
          {(control) => <TextInput {...control} {...register("pointsDays")} inputMode="numeric" />}
        </Field>
      ) : (
        <Field label={copy.validityDays} error={errors.validityDays?.message}>
          {(control) => (
            <TextInput {...control} {...register("validityDays")} inputMode="numeric" required />
          )}
        </Field>
      )}
    </FormSection>
  );
}

/** How its codes look, with an example that follows the typing. Points have none. */
export function RewardCodeFields({ form }: { form: UseFormReturn<RewardValues> }) {
  const { register, formState, watch } = form;
  if (watch("type") === "points") return null;
  return (
    <FormSection title={sections.code}>
      <div className="grid gap-3 sm:col-span-2">
        <Field
          label={copy.codeTemplate}
          hint={copy.codeTemplateHint}
          error={formState.errors.codeTemplate?.message}
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("codeTemplate")}
              maxLength={CODE_TEMPLATE_MAX_LENGTH}
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </Field>
        <p aria-live="polite" className="text-muted">
          {copy.codeExample}{" "}
          <code className="font-sans font-bold tracking-[0.06em] text-ink wrap-anywhere">
            {codeExample(watch("codeTemplate"))}
          </code>
        </p>
      </div>
    </FormSection>
  );
}

/** Fields that belong together, under a title. */
function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid items-start gap-5 rounded-card bg-surface p-5 shadow-card sm:grid-cols-2 sm:p-6"
    >
      <h2 id={id} className="text-xl sm:col-span-2">
        {title}
      </h2>
      {children}
    </section>
  );
}
