import { Link } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useId, useState } from "react";
import type { Notifications } from "#domain/schemas/settings.ts";
import { useApp } from "../../lib/app-context.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/forms/choice.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { useUnsavedInput } from "../../ui/unsaved/use-unsaved-input.tsx";
import { saveFailure } from "./failures.ts";
import { settingsCopy } from "./settings.copy.ts";
import { type NotificationChoices, useSaveNotifications } from "./settings.mutations.ts";

const copy = settingsCopy.notifications;

const SUMMARIES = (["none", "daily", "weekly"] as const).map((name) => ({
  name,
  label: copy.summaries[name],
}));

/** The number was proven no longer when it was saved. */
const PHONE_REQUIRED = "TV105";

type NotificationsCardProps = {
  orgId: string;
  notifications: Notifications;
  onUnsaved: (isUnsaved: boolean) => void;
};

/** Notifications that the reader wants, and by which way. */
export function NotificationsCard({ orgId, notifications, onUnsaved }: NotificationsCardProps) {
  const [saved, setSaved] = useState<NotificationChoices>(() => choicesOf(notifications));
  const [choices, setChoices] = useState(saved);
  const save = useSaveNotifications(orgId);
  const isUnsaved = isDifferent(saved, choices);
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  const found = useUnsavedInput({
    name: "notifications",
    isUnsaved,
    saved: () => saved,
    typed: () => choices,
    put: setChoices,
    drop: () => setChoices(saved),
  });

  const choose = (part: Partial<NotificationChoices>) => setChoices({ ...choices, ...part });
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    save.mutate(choices, { onSuccess: () => setSaved(choices) });
  };
  const { low_ratings, summary, email } = choices;
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <form className="grid gap-6" onSubmit={send}>
        {found}
        <fieldset className="grid gap-4">
          <legend className="mb-2 font-semibold">{copy.channels}</legend>
          <NotificationSwitch
            label={copy.email}
            hint={notifications.address ? copy.emailHint(notifications.address) : undefined}
            checked={email}
            onChange={(checked) => choose({ email: checked })}
          />
          <SmsSwitch
            hasPhone={notifications.has_phone}
            checked={choices.sms}
            onChange={(checked) => choose({ sms: checked })}
          />
        </fieldset>
        <fieldset className="grid gap-4">
          <legend className="mb-2 font-semibold">{copy.what}</legend>
          <NotificationSwitch
            label={copy.lowRatings}
            hint={low_ratings && !email && !choices.sms ? copy.noChannel : copy.lowRatingsHint}
            checked={low_ratings}
            onChange={(checked) => choose({ low_ratings: checked })}
          />
          <div className="grid gap-2">
            <p aria-hidden="true" className="font-semibold">
              {copy.summary}
            </p>
            <Choice
              label={copy.summary}
              options={SUMMARIES}
              current={summary}
              onChange={(name) => choose({ summary: name })}
            />
            <p role="status" className="text-sm text-muted">
              {summary !== "none" && !email ? copy.noEmail : copy.summaryHint[summary]}
            </p>
          </div>
          <NotificationSwitch
            label={copy.monthly}
            hint={copy.monthlyHint}
            checked={choices.monthly_report}
            onChange={(checked) => choose({ monthly_report: checked })}
          />
        </fieldset>
        {save.isError && (
          <Alert>{saveFailure(save.error, { [PHONE_REQUIRED]: copy.phoneRequired })}</Alert>
        )}
        {save.isSuccess && !isUnsaved && <Notice tone="done">{settingsCopy.saved}</Notice>}
        <div>
          <Button type="submit" busy={save.isPending}>
            {settingsCopy.save}
          </Button>
        </div>
      </form>
    </TitledCard>
  );
}

type SmsSwitchProps = {
  hasPhone: boolean;
  checked: boolean;
  onChange: (checked: boolean) => void;
};

/** Text messages, where this platform sends some and there is a number; else why not. */
function SmsSwitch({ hasPhone, checked, onChange }: SmsSwitchProps) {
  const { config } = useApp();
  // Turning notifications off is always possible.
  if (checked || (config.phone && hasPhone)) {
    return (
      <NotificationSwitch
        label={copy.sms}
        hint={copy.smsHint}
        checked={checked}
        onChange={onChange}
      />
    );
  }
  return (
    <div className="grid gap-1">
      <p className="font-semibold">{copy.sms}</p>
      <p className="text-sm text-pretty text-muted">
        {config.phone ? copy.smsClosed : copy.smsOff}
      </p>
      {config.phone && (
        <Link
          to="/settings/2fa"
          className="inline-flex min-h-11 items-center justify-self-start font-semibold underline underline-offset-4"
        >
          {copy.addPhone}
        </Link>
      )}
    </div>
  );
}

function choicesOf(notifications: Notifications): NotificationChoices {
  const { email, sms, low_ratings, summary, monthly_report } = notifications;
  return { email, sms, low_ratings, summary, monthly_report };
}

function isDifferent(one: NotificationChoices, other: NotificationChoices): boolean {
  return (["email", "sms", "low_ratings", "summary", "monthly_report"] as const).some(
    (name) => one[name] !== other[name],
  );
}

type NotificationSwitchProps = {
  label: string;
  hint?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
};

/** Something on or off, with a word about what that means. */
function NotificationSwitch({ label, hint, checked, onChange }: NotificationSwitchProps) {
  const id = useId();
  return (
    <div className="grid">
      <Switch
        label={label}
        hasText
        checked={checked}
        onChange={onChange}
        describedBy={hint && id}
      />
      {hint && (
        <p id={id} className="pl-15 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
