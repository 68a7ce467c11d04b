import { type FormEvent, useEffect, useState } from "react";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { type Failure, fetchCampaign } from "../api.ts";
import { Action } from "../parts/action.tsx";
import { TextField } from "../parts/text-field.tsx";
import { describeFailure } from "../refusals/failures.ts";
import { isRefusal } from "../refusals/refusal.ts";
import { shellCopy } from "../shell/page-shell.copy.ts";
import { presenceCopy as copy } from "./presence.copy.ts";
import { provePresence } from "./prove-presence.ts";

type PresenceGateProps = { campaign: PublicCampaign; onProven: () => void };
type Kind = NonNullable<PublicCampaign["presence"]>;

const FIELD = "presence";

/** Kind of proof that a campaign asks for now: its merchant may have changed it meanwhile. Without an answer the kind of before. */
async function kindNow({ slug }: PublicCampaign, before: Kind): Promise<Kind> {
  const answer = await fetchCampaign(slug, shellCopy.language);
  return (answer.ok && answer.value.presence) || before;
}

/** Mistake in one line below the field. */
function mistakeOf(failure: Failure): string {
  const { title, hint } = describeFailure(failure, "wheel_failed");
  return isRefusal(failure, "presence_wrong") ? title : `${title}. ${hint}`.replace("..", ".");
}

/** Asks for what the store shows, and turns the wheel once it is right. What was typed stays. */
export function PresenceGate({ campaign, onProven }: PresenceGateProps) {
  const [mistake, setMistake] = useState<string | undefined>();
  const [isBusy, setIsBusy] = useState(false);
  const [kind, setKind] = useState(campaign.presence);
  useEffect(() => {
    if (kind === undefined) kindNow(campaign, "turning").then(setKind);
    else document.getElementById(FIELD)?.focus();
  }, [campaign, kind]);
  if (kind === undefined) return null;
  const asked = kind;
  const { label, hint } = copy.kinds[asked];

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
    const isWrong = !answer.ok && isRefusal(answer.failure, "presence_wrong");
    const next = isWrong ? await kindNow(campaign, asked) : asked;
    setIsBusy(false);
    if (answer.ok) return onProven();
    setMistake(next === asked ? mistakeOf(answer.failure) : undefined);
    if (next !== asked) return setKind(next);
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
          key={asked}
          name={FIELD}
          label={label}
          type="text"
          inputMode={asked === "word" ? "text" : "numeric"}
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
