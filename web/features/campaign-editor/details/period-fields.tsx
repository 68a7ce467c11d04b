import { Link } from "@tanstack/react-router";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { PLAY_INTERVAL_MAX_DAYS } from "#domain/rules/constants.ts";
import type { EditorStore } from "#domain/schemas/campaigns.ts";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { campaignChecks } from "../../../lib/campaign-links.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { editorCopy } from "../editor.copy.ts";
import type { EditorValues } from "../editor.schema.ts";
import { EditorCard } from "./editor-card.tsx";

const copy = editorCopy.period;

type PeriodFieldsProps = {
  campaignId: string;
  form: UseFormReturn<EditorValues>;
  stores: readonly EditorStore[];
};

/** When the campaign runs, by the clock of its store, and how often one person may play. */
export function PeriodFields({ campaignId, form, stores }: PeriodFieldsProps) {
  const { register, formState, control } = form;
  const { errors } = formState;
  const { may, mayOpen } = useMay();
  const [storeId, startsAt] = useWatch({ control, name: ["storeId", "startsAt"] });
  const timezone = stores.find(({ id }) => id === storeId)?.timezone;
  return (
    <EditorCard title={copy.title}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label={copy.starts} hint={copy.startsHint} error={errors.startsAt?.message}>
          {(field) => <TextInput {...field} {...register("startsAt")} type="datetime-local" />}
        </Field>
        <Field label={copy.ends} hint={copy.endsHint} error={errors.endsAt?.message}>
          {(field) => (
            <TextInput
              {...field}
              {...register("endsAt")}
              type="datetime-local"
              min={startsAt || undefined}
            />
          )}
        </Field>
      </div>
      {timezone && <p className="text-sm text-muted">{copy.zone(timezoneLabel(timezone))}</p>}
      <Field label={copy.interval} hint={copy.intervalHint} error={errors.interval?.message}>
        {(field) => (
          <TextInput
            {...field}
            {...register("interval")}
            type="number"
            inputMode="numeric"
            min={0}
            max={PLAY_INTERVAL_MAX_DAYS}
            className="max-w-32"
          />
        )}
      </Field>
      {mayOpen("/rewards") && may("codes.read") && (
        <Link
          {...campaignChecks(campaignId)}
          className="inline-flex min-h-11 items-center justify-self-start font-semibold underline underline-offset-4"
        >
          {copy.checks}
        </Link>
      )}
    </EditorCard>
  );
}
