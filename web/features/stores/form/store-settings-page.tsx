import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQueryClient } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import type { StoreRow } from "#domain/schemas/stores.ts";
import { timezoneLabel } from "#domain/text/timezone-label.ts";
import { useApp } from "../../../lib/app-context.ts";
import { NEAR_TIMEZONES } from "../../../lib/near-timezones.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Field } from "../../../ui/forms/field.tsx";
import { ReviewModeChoice } from "../../../ui/forms/review-mode-choice.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedForm } from "../../../ui/unsaved/use-unsaved-form.ts";
import { storesCopy } from "../stores.copy.ts";
import { useSaveStore } from "../stores.mutations.ts";
import { linkOf, type SettingsForm, settingsForm, settingsWrite } from "./store.schema.ts";
import { storeFormCopy as copy } from "./store-form.copy.ts";
import { StoreFormFrame, UrlField, useLeaveToList, WithStore } from "./store-form.tsx";
import type { TimezoneEffectsProps } from "./timezone-change.tsx";
import { otherTimezones } from "./timezones.ts";

/** Part for a store that moves, which few do. */
const loadChange = () => import("./timezone-change.tsx");

/** Without its part, for want of a network, the form goes on. */
const TimezoneEffects = lazy<ComponentType<TimezoneEffectsProps>>(() =>
  loadChange().then(
    ({ TimezoneEffects }) => ({ default: TimezoneEffects }),
    () => ({ default: () => null }),
  ),
);

/** Google's tool that finds a Place ID by name and address. */
const PLACE_ID_FINDER =
  "https://developers.google.com/maps/documentation/places/web-service/place-id#find-id";

/** `/stores/{id}/settings`: who is invited to review, where, and which day it is there. */
export function StoreSettingsPage({ storeId }: { storeId: string }) {
  return (
    <WithStore storeId={storeId}>
      {(store, reload) => <StoreSettings store={store} onReload={reload} />}
    </WithStore>
  );
}

/** The long list of zones: naming them all takes 0.1 s, which the page does not wait for. */
function useOtherTimezones(present: string) {
  const isNear = NEAR_TIMEZONES.some((name) => name === present);
  const [others, setOthers] = useState(() =>
    isNear ? [] : [{ name: present, label: timezoneLabel(present) }],
  );
  useEffect(() => setOthers(otherTimezones(present)), [present]);
  return others;
}

function StoreSettings({ store, onReload }: { store: StoreRow; onReload: () => void }) {
  const title = copy.settingsTitle(store.name);
  usePageTitle(title);
  const [initial] = useState(store);
  const others = useOtherTimezones(initial.timezone);
  const form = useForm<SettingsForm>({
    resolver: standardSchemaResolver(settingsForm(initial.google_review_url)),
    defaultValues: {
      ...linkOf(initial),
      mode: initial.review_mode,
      timezone: initial.timezone,
      placeId: initial.google_place_id ?? "",
    },
  });
  const { config, supabase } = useApp();
  const queryClient = useQueryClient();
  const save = useSaveStore(initial);
  const leave = useLeaveToList();
  const isUnsaved = form.formState.isDirty && !save.isSuccess;
  const leaveWarning = useLeaveWarning(isUnsaved);
  const found = useUnsavedForm(form, isUnsaved);
  const timezone = form.watch("timezone");
  const isMoved = timezone !== initial.timezone;
  const move = { storeId: initial.id, timezone };
  /** Sentences on what would stop, while that is asked. */
  const [stops, setStops] = useState<string | null>(null);
  const send = (values: SettingsForm) => {
    if (!save.isPending) save.mutate(settingsWrite(values), { onSuccess: leave });
  };
  const sendOrAsk = async (values: SettingsForm) => {
    // Effects may have changed since they were shown; an answer that does not come holds nothing up.
    const stopping = isMoved
      ? await loadChange()
          .then(({ stoppedBy }) => stoppedBy(move, { queryClient, supabase }))
          .catch(() => null)
      : null;
    if (stopping) setStops(stopping);
    else send(values);
  };
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader back={{ to: "/stores", label: storesCopy.back }} title={title} />
      <StoreFormFrame
        action={copy.save}
        busy={save.isPending || form.formState.isSubmitting}
        error={save.error}
        onSubmit={form.handleSubmit(sendOrAsk, save.reset)}
        onReload={onReload}
      >
        {found}
        <ReviewModeChoice field={form.register("mode")} value={form.watch("mode")} />
        <UrlField
          field={form.register("url")}
          value={form.watch()}
          errors={form.formState.errors}
          onConfirm={(host) =>
            form.setValue("confirmedHost", host, {
              shouldDirty: true,
              shouldValidate: form.formState.isSubmitted,
            })
          }
        />
        {config.public_rating && (
          <div className="grid gap-1.5">
            <Field
              label={copy.placeId}
              hint={copy.placeIdHint}
              error={form.formState.errors.placeId?.message}
            >
              {(control) => (
                <TextInput
                  {...control}
                  {...form.register("placeId")}
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  placeholder={copy.placeIdPlaceholder}
                />
              )}
            </Field>
            <a
              href={PLACE_ID_FINDER}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex min-h-11 items-center gap-1.5 justify-self-start font-semibold underline underline-offset-4"
            >
              {copy.placeIdFinder}
              <ExternalLink aria-hidden="true" className="size-4" />
            </a>
          </div>
        )}
        <Field label={copy.timezone} hint={copy.timezoneHint}>
          {(control) => (
            <SelectInput {...control} {...form.register("timezone")}>
              <optgroup label={copy.timezoneNear}>
                {NEAR_TIMEZONES.map((name) => (
                  <option key={name} value={name}>
                    {timezoneLabel(name)}
                  </option>
                ))}
              </optgroup>
              <optgroup label={copy.timezoneAll}>
                {others.map(({ name, label }) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </optgroup>
            </SelectInput>
          )}
        </Field>
        {isMoved && (
          <Suspense>
            <TimezoneEffects
              {...move}
              stops={stops}
              onConfirm={() => {
                setStops(null);
                void form.handleSubmit(send, save.reset)();
              }}
              onClose={() => setStops(null)}
            />
          </Suspense>
        )}
      </StoreFormFrame>
      {leaveWarning}
    </div>
  );
}
