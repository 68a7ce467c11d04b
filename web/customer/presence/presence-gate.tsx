import { type FormEvent, useEffect, useState } from "react";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import type { Failure } from "../api.ts";
import { Action } from "../parts/action.tsx";
import { TextField } from "../parts/text-field.tsx";
import { describeFailure } from "../refusals/failures.ts";
import { isRefusal } from "../refusals/refusal.ts";
import { presenceCopy as copy } from "./presence.copy.ts";
import { provePresence } from "./prove-presence.ts";

type PresenceGateProps = { campaign: PublicCampaign; onProven: () => void };

const FIELD = "presence";

/** Mistake in one line below the field. */
function mistakeOf(failure: Failure): string {
  const { title, hint } = describeFailure(failure, "wheel_failed");
  return isRefusal(failure, "presence_wrong") ? title : `${title}. ${hint}`.replace("..", ".");
}

/** Asks for what the store shows, and turns the wheel once it is right. What was typed stays. */
export function PresenceGate({ campaign, onProven }: PresenceGateProps) {
  const [mistake, setMistake] = useState<string | undefined>();
  const [isBusy, setIsBusy] = useState(false);
  const { label, hint } = copy.kinds[campaign.presence ?? "turning"];
  useEffect(() => document.getElementById(FIELD)?.focus(), []);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const proof = String(new FormData(event.currentTarget).get(FIELD)).trim();
    if (proof === "") {
      setMistake(copy.empty);
      document.getElementById(FIELD)?.focus();
      return;
    }
    setIsBusy(true);
    const answer = await provePresence(campaign.id, proof);
    setIsBusy(false);
    if (answer.ok) return onProven();
    setMistake(mistakeOf(answer.failure));
    document.getElementById(FIELD)?.focus();
  }

  return (
    <form
      noValidate
      onSubmit={submit}
      onInput={() => setMistake(undefined)}
      className="grid animate-enter gap-3 rounded-card border-2 border-line bg-surface p-4"
    >
      <h2 className="text-xl leading-tight font-bold">{copy.title}</h2>
      <p>{hint}</p>
      <div aria-live="assertive">
        <TextField
          name={FIELD}
          label={label}
          type="text"
          inputMode={campaign.presence === "word" ? "text" : "numeric"}
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="go"
          maxLength={40}
          mistake={mistake}
        />
      </div>
      <Action type="submit" isBusy={isBusy}>
        {copy.submit}
      </Action>
    </form>
  );
}
