import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect, useId, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import type { PointsItem } from "#domain/schemas/points.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { TranslationFields } from "../../../ui/forms/translation-fields.tsx";
import { WayToPlans } from "../../../ui/plans/way-to-plans.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { pointsCopy } from "./points.copy.ts";
import { CONFLICT, useSavePointsReward } from "./points.mutations.ts";
import { type PointsValues, pointsSchema, toValues, toWrite } from "./points.schema.ts";

const copy = pointsCopy.form;

type PointsFormProps = {
  orgId: string;
  /** Edited item, as it is first given; null for a new one. */
  item: PointsItem | null;
  /** Reads it anew, giving up what was typed. */
  onReload: () => void;
  onClose: () => void;
};

/** Identifies the form on its page. */
export const pointsFormName = (item: { id: string } | null) => item?.id ?? "new";

/** Adds something to the catalogue, or changes it. What was typed stays when saving fails. */
export function PointsForm({ orgId, item: given, onReload, onClose }: PointsFormProps) {
  const title = useId();
  // The catalogue may be read anew meanwhile, without an item that somebody has removed.
  const [item] = useState(given);
  const initial = toValues(item);
  const form = useForm<PointsValues>({
    defaultValues: initial,
    resolver: standardSchemaResolver(pointsSchema),
  });
  const { register, formState, handleSubmit, setFocus, setValue, watch } = form;
  const { errors, isDirty } = formState;
  const save = useSavePointsReward(orgId, item);
  const isUnsaved = isDirty && !save.isSuccess;
  const warning = useLeaveWarning(isUnsaved);
  const found = useUnsavedForm(form, isUnsaved, pointsFormName(item));
  useEffect(() => setFocus("name"), [setFocus]);
  const close = useRef(onClose);
  // Only once the warning knows that nothing is left to lose.
  useEffect(() => {
    if (save.isSuccess) close.current();
  }, [save.isSuccess]);

  const code = save.error instanceof AppError ? save.error.code : null;
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={handleSubmit((values) => {
        if (!save.isPending)
          save.mutate(toWrite(values, item === null || values.stock.trim() !== initial.stock));
      }, save.reset)}
    >
      {found}
      <section
        aria-labelledby={title}
        className="grid items-start gap-5 rounded-card bg-surface p-5 shadow-card sm:grid-cols-2 sm:p-6"
      >
        <h2 id={title} className="text-xl sm:col-span-2">
          {item === null ? copy.new : copy.edit}
        </h2>
        <Field label={copy.name} hint={copy.nameHint} error={errors.name?.message}>
          {(control) => <TextInput {...control} {...register("name")} required />}
        </Field>
        <Field label={copy.cost} hint={copy.costHint} error={errors.cost?.message}>
          {(control) => (
            <TextInput {...control} {...register("cost")} inputMode="numeric" required />
          )}
        </Field>
        <Field label={copy.stock} hint={copy.stockHint} error={errors.stock?.message}>
          {(control) => <TextInput {...control} {...register("stock")} inputMode="numeric" />}
        </Field>
        <div className="sm:col-span-2">
          <TranslationFields
            text={watch("name")}
            values={watch("translations")}
            most={NAME_MAX_LENGTH}
            onChange={(values) => setValue("translations", values, { shouldDirty: true })}
          />
        </div>
        {save.isError && (
          <div className="sm:col-span-2">
            <Alert>
              <p>
                {code === CONFLICT ? copy.conflict : `${copy.failed}. ${errorMessage(save.error)}`}
              </p>
              <WayToPlans error={save.error} />
              {code === CONFLICT && (
                <Button variant="secondary" className="mt-3" onClick={onReload}>
                  {copy.reload}
                </Button>
              )}
            </Alert>
          </div>
        )}
        <ButtonRow isWide className="sm:col-span-2">
          <Button variant="secondary" onClick={onClose}>
            {copy.cancel}
          </Button>
          <Button type="submit" busy={save.isPending}>
            {copy.save}
          </Button>
        </ButtonRow>
      </section>
      {warning}
    </form>
  );
}
