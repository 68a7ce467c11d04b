import { Link, lazyRouteComponent } from "@tanstack/react-router";
import { type Ref, Suspense } from "react";
import { Controller, type UseFormReturn, useWatch } from "react-hook-form";
import type { CampaignEditor } from "#domain/schemas/campaigns.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { SelectField } from "../../../ui/forms/select-field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { storeMark } from "../../../ui/wheel/store-mark.ts";
import { editorCopy } from "../editor.copy.ts";
import type { EditorValues } from "../editor.schema.ts";
import { firstWheel } from "./propose-segment.ts";
import { RewardOptions } from "./reward-options.tsx";

const copy = editorCopy.wheel;

/** Drawn for a campaign that has nothing to win yet. */
const WheelPicture = lazyRouteComponent(
  () => import("../../../ui/wheel/wheel-picture.tsx"),
  "WheelPicture",
);

/** The largest part of the screen, below the fields that one sees first. */
const WheelEditor = lazyRouteComponent(() => import("./wheel-editor.tsx"), "WheelEditor");

type WheelSectionProps = {
  form: UseFormReturn<EditorValues>;
  editor: CampaignEditor;
  ref: Ref<HTMLElement>;
};

/** The wheel of the campaign; without a reward an example, and the way to the first one. */
export function WheelSection({ form, editor, ref }: WheelSectionProps) {
  const { control, formState, setValue } = form;
  const { stores, segments, rewards, wheel } = editor;
  const [storeId, hasWheel] = useWatch({ control, name: ["storeId", "hasWheel"] });
  const mark = storeMark(stores.find(({ id }) => id === storeId)?.name ?? "");
  const mistakes = formState.errors.segments;
  const mayAdd = useMay().mayOpen("/rewards/new");
  const begin = (rewardId: string) => {
    const first = firstWheel(
      copy.losingLabel,
      rewards.find(({ id }) => id === rewardId),
    );
    if (!first) return;
    setValue("segments", first.segments, { shouldDirty: true });
    setValue("hasWheel", true, { shouldDirty: true });
  };
  return (
    <section ref={ref} className="grid gap-5 rounded-card bg-surface p-3 py-4 shadow-card sm:p-6">
      <div className="grid gap-1">
        <h2 className="text-xl">{copy.title}</h2>
        {hasWheel && <p className="max-w-2xl text-pretty text-muted">{copy.text}</p>}
      </div>
      {wheel === "suggested" && <Notice>{copy.suggested}</Notice>}
      {!hasWheel ? (
        <div className="grid justify-items-center gap-5 text-center">
          <Suspense fallback={<div className="mt-4 size-56" />}>
            <WheelPicture
              mark={mark}
              segments={segments.map((segment, place) => ({ ...segment, id: `${place}` }))}
              className="light mt-4 w-56 opacity-60"
            />
          </Suspense>
          <div className="grid max-w-md gap-1.5">
            <p className="font-display text-xl font-bold">{copy.example.title}</p>
            <p className="text-pretty text-muted">{copy.example.text}</p>
          </div>
          {mayAdd && (
            <Link
              to="/rewards/new"
              search={{ campaign: editor.campaign.id }}
              className={buttonClass()}
            >
              {copy.example.action}
            </Link>
          )}
          {rewards.length > 0 && (
            <div className="w-full max-w-xs">
              <SelectField label={copy.example.share} value="" onChange={begin}>
                <option value="">{copy.example.shareChoose}</option>
                <RewardOptions rewards={rewards} />
              </SelectField>
            </div>
          )}
        </div>
      ) : (
        <Controller
          control={control}
          name="segments"
          render={({ field }) => (
            <Suspense fallback={<div className="min-h-152" />}>
              <WheelEditor
                mark={mark}
                rewards={rewards}
                segments={field.value}
                mistakes={field.value.map((_, place) => mistakes?.[place]?.label?.message)}
                onChange={(next) => {
                  field.onChange(next);
                  if (formState.isSubmitted) void form.trigger(["segments", "hasWheel"]);
                }}
              />
            </Suspense>
          )}
        />
      )}
    </section>
  );
}
