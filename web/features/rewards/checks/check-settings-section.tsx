import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { presenceKind } from "#domain/rules/presence-kind.ts";
import type { CheckSettings } from "#domain/schemas/checks.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { isSame } from "../../../lib/input/unsaved-input.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { NamedOptions } from "../../../ui/forms/named-options.tsx";
import { SelectField } from "../../../ui/forms/select-field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { useUnsavedInput } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { campaignChoicesQuery } from "../rewards.queries.ts";
import { checksCopy } from "./checks.copy.ts";
import { checkSettingsQuery, useSaveCheckSettings } from "./checks.queries.ts";

const copy = checksCopy.settings;

/** Settings that were begun and not saved, by campaign. */
export type CheckDrafts = Readonly<Record<string, Typed>>;
export type BegunSettings = {
  drafts: CheckDrafts;
  onDrafts: (change: (drafts: CheckDrafts) => CheckDrafts) => void;
};

type CheckSettingsSectionProps = BegunSettings & {
  orgId: string;
  /** The campaign that the address asks for; empty for none. */
  wanted: string;
};

/** Checks of each campaign, and its limit a device and a day. */
export function CheckSettingsSection({ orgId, wanted, ...begun }: CheckSettingsSectionProps) {
  const { supabase } = useApp();
  const id = useId();
  const campaigns = useQuery(campaignChoicesQuery(supabase, orgId));
  const [chosen, setChosen] = useState(wanted);
  if (campaigns.isError) {
    return (
      <LoadProblem
        title={checksCopy.loadFailed}
        text={loadFailure(campaigns.error, checksCopy.loadFailed)}
        isRetrying={campaigns.isFetching}
        onRetry={() => campaigns.refetch()}
      />
    );
  }
  if (!campaigns.data) return <ListSkeleton />;
  const shown =
    campaigns.data.find(({ id }) => id === chosen) ??
    campaigns.data.find(({ active }) => active) ??
    campaigns.data[0];
  const campaignId = shown?.id;
  if (campaignId === undefined) return <p>{copy.none}</p>;
  return (
    <div className="grid max-w-xl gap-5">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-semibold">
          {copy.campaign}
        </label>
        <SelectInput id={id} value={campaignId} onChange={(event) => setChosen(event.target.value)}>
          <NamedOptions of={campaigns.data} />
        </SelectInput>
      </div>
      <CampaignSettings key={campaignId} campaignId={campaignId} {...begun} />
    </div>
  );
}

function CampaignSettings({ campaignId, ...begun }: BegunSettings & { campaignId: string }) {
  const { supabase } = useApp();
  const settings = useQuery(checkSettingsQuery(supabase, campaignId));
  if (settings.isError) {
    return (
      <LoadProblem
        title={checksCopy.loadFailed}
        text={loadFailure(settings.error, checksCopy.loadFailed)}
        isRetrying={settings.isFetching}
        onRetry={() => settings.refetch()}
      />
    );
  }
  if (!settings.data) return <ListSkeleton />;
  return <SettingsForm campaignId={campaignId} settings={settings.data} {...begun} />;
}

/** A whole number within bounds, or null for anything else. */
function numberOf(text: string, from: number): number | null {
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) && value >= from && value <= 500
    ? value
    : null;
}

/** Values of the form. */
type Typed = {
  names: string;
  network: string;
  limit: string;
  marksDisposable: boolean;
  isQuiet: boolean;
  from: string;
  to: string;
  presence: keyof typeof copy.presences;
};

const PRESENCES = ["none", ...presenceKind.options] as const;

const typedOf = (settings: CheckSettings): Typed => ({
  names: String(settings.device_names),
  network: String(settings.network_names),
  limit: settings.device_daily_limit?.toString() ?? "",
  marksDisposable: settings.marks_disposable,
  isQuiet: settings.quiet_from !== null,
  from: (settings.quiet_from ?? "02:00").slice(0, 5),
  to: (settings.quiet_to ?? "05:00").slice(0, 5),
  presence: settings.presence ?? "none",
});

/** Settings as they are saved; null where a value is wrong. */
function settingsOf(typed: Typed): CheckSettings | null {
  const { limit, isQuiet, from, to, presence } = typed;
  const device_names = numberOf(typed.names, 2);
  const network_names = numberOf(typed.network, 3);
  const device_daily_limit = limit.trim() === "" ? null : numberOf(limit, 1);
  if (device_names === null || network_names === null) return null;
  if (limit.trim() !== "" && device_daily_limit === null) return null;
  if (isQuiet && (from === "" || to === "" || from === to)) return null;
  return {
    device_names,
    network_names,
    device_daily_limit,
    marks_disposable: typed.marksDisposable,
    quiet_from: isQuiet ? from : null,
    quiet_to: isQuiet ? to : null,
    presence: presence === "none" ? null : presence,
  };
}

type SettingsFormProps = BegunSettings & { campaignId: string; settings: CheckSettings };

function SettingsForm({ campaignId, settings, drafts, onDrafts }: SettingsFormProps) {
  const save = useSaveCheckSettings(campaignId);
  const [saved, setSaved] = useState(() => typedOf(settings));
  const typed = drafts[campaignId] ?? saved;
  const [isWrong, setIsWrong] = useState(false);
  const { marksDisposable, isQuiet, presence } = typed;
  const put = (values: Typed) =>
    onDrafts(({ [campaignId]: _, ...others }) =>
      isSame(values, saved) ? others : { ...others, [campaignId]: values },
    );
  const type = (part: Partial<Typed>) => put({ ...typed, ...part });
  const found = useUnsavedInput({
    name: `checks ${campaignId}`,
    isUnsaved: !isSame(saved, typed),
    saved: () => saved,
    typed: () => typed,
    put,
    drop: () => put(saved),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = settingsOf(typed);
    setIsWrong(wanted === null);
    save.reset();
    if (!wanted) return;
    // Also once another campaign is shown; what was typed meanwhile stays.
    const kept = () => {
      setSaved(typed);
      onDrafts(({ [campaignId]: draft, ...others }) =>
        draft && !isSame(draft, typed) ? { ...others, [campaignId]: draft } : others,
      );
    };
    save.mutateAsync(wanted).then(kept, () => {});
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {found}
      {(["names", "network", "limit"] as const).map((name) => (
        <TypedField
          key={name}
          label={copy[name]}
          hint={copy[`${name}Hint`]}
          inputMode="numeric"
          value={typed[name]}
          onType={(value) => type({ [name]: value })}
        />
      ))}
      <Switch
        label={copy.disposable}
        checked={marksDisposable}
        onChange={(checked) => type({ marksDisposable: checked })}
        hasText
      />
      <div className="grid gap-3">
        <Switch
          label={copy.quiet}
          checked={isQuiet}
          onChange={(checked) => type({ isQuiet: checked })}
          hasText
        />
        {isQuiet && (
          <div className="grid grid-cols-2 gap-4">
            {(["from", "to"] as const).map((name) => (
              <TypedField
                key={name}
                label={copy[name]}
                type="time"
                value={typed[name]}
                onType={(value) => type({ [name]: value })}
              />
            ))}
          </div>
        )}
      </div>
      <SelectField
        label={copy.presence}
        hint={copy.presenceHint}
        value={presence}
        onChange={(value) => type({ presence: PRESENCES.find((one) => one === value) ?? "none" })}
      >
        {PRESENCES.map((one) => (
          <option key={one} value={one}>
            {copy.presences[one]}
          </option>
        ))}
      </SelectField>
      {copy.presenceNotes[presence] && <Notice>{copy.presenceNotes[presence]}</Notice>}
      {isWrong && <Alert>{copy.invalid}</Alert>}
      {save.isError && <Alert>{errorMessage(save.error)}</Alert>}
      {save.isSuccess && <Notice tone="done">{copy.saved}</Notice>}
      <div>
        <Button type="submit" busy={save.isPending}>
          {copy.save}
        </Button>
      </div>
    </form>
  );
}

type TypedFieldProps = {
  label: string;
  hint?: string;
  inputMode?: "numeric";
  type?: "time";
  value: string;
  onType: (value: string) => void;
};

function TypedField({ label, hint, value, onType, ...input }: TypedFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <TextInput
          {...control}
          {...input}
          value={value}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  );
}
