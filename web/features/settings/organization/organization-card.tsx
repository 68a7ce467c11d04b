import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import type { Settings } from "#domain/schemas/settings.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { isSlug } from "#domain/text/slugify.ts";
import { AppError } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { slugFieldCopy } from "../../../ui/forms/slug-field.copy.ts";
import { SlugField } from "../../../ui/forms/slug-field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { PublicPageLink } from "../card-parts.tsx";
import { saveFailure } from "../failures.ts";
import { settingsCopy } from "../settings.copy.ts";
import { CONFLICT, useSaveOrganization } from "../settings.mutations.ts";

const copy = settingsCopy.organization;

/** Two merchants cannot have one address. */
const TAKEN = "23505";

const organizationForm = z.object({
  name: z
    .string()
    .check(
      z.overwrite(seenText),
      z.minLength(1, copy.nameRequired),
      z.maxLength(NAME_MAX_LENGTH, copy.tooLong),
    ),
  slug: z.string().check(
    z.trim(),
    z.minLength(1, copy.slugRequired),
    z.refine((text) => text === "" || isSlug(text), slugFieldCopy.malformed),
  ),
});
type OrganizationForm = z.infer<typeof organizationForm>;

type OrganizationCardProps = {
  organization: Settings["organization"];
  /** Reads it anew. */
  onReload: () => Promise<Settings["organization"] | undefined>;
  onUnsaved: (isUnsaved: boolean) => void;
};

/** Name and public address of the organisation, for members who may change them. */
export function OrganizationCard({ organization, onReload, onUnsaved }: OrganizationCardProps) {
  const [base, setBase] = useState(organization);
  const save = useSaveOrganization();
  const form = useForm<OrganizationForm>({
    resolver: standardSchemaResolver(organizationForm),
    defaultValues: { name: base.name, slug: base.slug },
  });
  const { register, formState, control, getValues, reset, setError, setValue } = form;
  const { errors, isDirty } = formState;
  const { name = "", slug = "" } = useWatch({ control });
  useEffect(() => onUnsaved(isDirty), [isDirty, onUnsaved]);
  const found = useUnsavedForm(form, isDirty, "organization");

  const begin = (from: Omit<Settings["organization"], "created_at">, keepValues = false) => {
    setBase({ ...base, ...from });
    reset({ name: from.name, slug: from.slug }, { keepValues });
  };
  const send = (values: OrganizationForm) => {
    if (save.isPending) return;
    const sent = getValues();
    save.mutate(
      { id: base.id, version: base.version, ...values },
      {
        // Text that was typed while it was saved stays.
        onSuccess: (saved) =>
          begin(saved, getValues("name") !== sent.name || getValues("slug") !== sent.slug),
        onError: (error) => {
          if (codeOf(error) === TAKEN) setError("slug", { message: copy.taken });
        },
      },
    );
  };
  const reload = async () => {
    const fresh = await onReload();
    if (!fresh) return;
    save.reset();
    begin(fresh);
  };
  const isConflict = codeOf(save.error) === CONFLICT;
  const isTold = save.isError && codeOf(save.error) !== TAKEN;

  return (
    <TitledCard title={copy.title} text={copy.text} action={<PublicPageLink slug={base.slug} />}>
      <form
        noValidate
        className="grid max-w-xl gap-4"
        onSubmit={form.handleSubmit(send, save.reset)}
      >
        {found}
        <Field label={copy.name} error={errors.name?.message}>
          {(field) => <TextInput {...field} {...register("name")} autoComplete="organization" />}
        </Field>
        <SlugField
          kind="organization"
          label={copy.slug}
          hint={copy.slugHint}
          prefix={copy.slugPrefix}
          value={slug}
          owner={base}
          error={errors.slug?.message}
          field={register("slug")}
          onTake={(free) => setValue("slug", free, { shouldDirty: true, shouldValidate: true })}
        />
        {isTold && (
          <Alert>
            <p>{saveFailure(save.error, { [CONFLICT]: copy.conflict })}</p>
            {isConflict && (
              <Button variant="secondary" className="mt-3" onClick={reload}>
                {copy.reload}
              </Button>
            )}
          </Alert>
        )}
        {save.isSuccess && !isDirty && <Notice tone="done">{settingsCopy.saved}</Notice>}
        <div>
          <Button type="submit" busy={save.isPending} incomplete={seenText(name) === ""}>
            {settingsCopy.save}
          </Button>
        </div>
      </form>
    </TitledCard>
  );
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "";
}
