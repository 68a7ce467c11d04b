import { type ComponentType, lazy, Suspense } from "react";
import { Controller, type UseFormReturn, useWatch } from "react-hook-form";
import { NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import type { CampaignEditor } from "#domain/schemas/campaigns.ts";
import { suggestSlug } from "#domain/text/slugify.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { SlugField } from "../../../ui/forms/slug-field.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import type { TranslationFieldsProps } from "../../../ui/forms/translation-fields.tsx";
import { editorCopy } from "../editor.copy.ts";
import type { EditorValues } from "../editor.schema.ts";
import { EditorCard } from "./editor-card.tsx";

const copy = editorCopy.identity;

/** In the place of a part that does not load. */
const withoutIt = () => ({ default: () => null });

/** Most campaigns have a prize; without this notice the form is whole, too. */
const NoPrizeNotice = lazy<ComponentType<{ id: string }>>(() =>
  import("../../../ui/campaign/no-prize-notice.tsx").then(
    ({ NoPrizeNotice }) => ({ default: NoPrizeNotice }),
    withoutIt,
  ),
);

/** Folded at first; without it the form is whole, and keeps what was translated. */
const TranslationFields = lazy<ComponentType<TranslationFieldsProps>>(() =>
  import("../../../ui/forms/translation-fields.tsx").then(
    ({ TranslationFields }) => ({ default: TranslationFields }),
    withoutIt,
  ),
);

type IdentityFieldsProps = { form: UseFormReturn<EditorValues>; editor: CampaignEditor };

/** Name, slug and store of the campaign. Its slug follows the name. */
export function IdentityFields({ form, editor: { campaign, stores, wheel } }: IdentityFieldsProps) {
  const { register, formState, control, setValue } = form;
  const { errors } = formState;
  const name = useWatch({ control, name: "name" });
  const slug = useWatch({ control, name: "slug" }).trim();
  const follow = (name: string) =>
    setValue("slug", suggestSlug(name), {
      shouldDirty: true,
      shouldValidate: formState.isSubmitted,
    });
  return (
    <EditorCard title={copy.title}>
      <Field label={copy.name} hint={copy.nameHint} error={errors.name?.message}>
        {(field) => (
          <TextInput
            {...field}
            {...register("name", { onChange: (event) => follow(event.target.value) })}
            autoComplete="off"
          />
        )}
      </Field>
      <Controller
        control={control}
        name="translations"
        render={({ field: { value, onChange } }) => (
          <Suspense fallback={<div className="h-12" />}>
            <TranslationFields
              text={name}
              values={value}
              most={NAME_MAX_LENGTH}
              onChange={onChange}
            />
          </Suspense>
        )}
      />
      <div>
        <SlugField
          kind="campaign"
          label={copy.slug}
          prefix="/c/"
          value={slug}
          owner={campaign}
          error={errors.slug?.message}
          field={register("slug")}
          onTake={(free) => setValue("slug", free, { shouldDirty: true, shouldValidate: true })}
        />
        <p className="text-sm text-muted">
          {copy.page} <span className="font-medium break-all text-ink">{copy.pageOf(slug)}</span>
        </p>
        <p role="status" className="text-sm text-pretty text-muted">
          {slug !== campaign.slug && copy.former(campaign.slug)}
        </p>
      </div>
      <Field label={copy.store} error={errors.storeId?.message}>
        {(field) => (
          <SelectInput {...field} {...register("storeId")}>
            <option value="">{copy.storeChoose}</option>
            {stores.map(({ id, name, address, is_archived }) => (
              <option key={id} value={id} dir="auto">
                {is_archived ? copy.storeArchived(name) : `${name} · ${address}`}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      <Field
        label={copy.description}
        hint={copy.descriptionHint}
        error={errors.description?.message}
      >
        {(field) => <TextArea {...field} {...register("description")} />}
      </Field>
      <div>
        {wheel === "example" && (
          <Suspense>
            <NoPrizeNotice id="campaign-no-prize" />
          </Suspense>
        )}
        <Controller
          control={control}
          name="active"
          render={({ field: { value, onChange } }) => (
            <Switch
              label={copy.active}
              hasText
              checked={value}
              onChange={onChange}
              describedBy={`campaign-active-hint${wheel === "example" ? " campaign-no-prize" : ""}`}
            />
          )}
        />
        <p id="campaign-active-hint" className="text-sm text-muted">
          {copy.activeHint}
        </p>
      </div>
    </EditorCard>
  );
}
