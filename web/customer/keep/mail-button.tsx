import { type FormEvent, type ReactNode, useState } from "react";
import { email } from "#domain/rules/contact.ts";
import type { SpinResult } from "#domain/schemas/journey.ts";
import { mailPrize } from "../api.ts";
import { customerCopy } from "../customer.copy.ts";
import { Action } from "../parts/action.tsx";
import { doubtEmail } from "../parts/doubted-contact.tsx";
import { TextField } from "../parts/text-field.tsx";
import { isRefusal } from "../refusals/refusal.ts";
import { keepCopy } from "./keep.copy.ts";

const copy = keepCopy.mail;

type MailButtonProps = { campaignId: string; result: SpinResult };

/** Sends a prize to the address that its winner gave; asks for one only where none was given. */
export function MailButton({ campaignId, result }: MailButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [asks, setAsks] = useState(false);
  const [problem, setProblem] = useState<ReactNode>("");
  const [done, setDone] = useState("");

  async function send(to?: string) {
    if (isBusy) return;
    setIsBusy(true);
    setProblem("");
    const answer = await mailPrize({
      campaign_id: campaignId,
      spin_id: result.spin_id,
      nonce: result.nonce,
      ...(to !== undefined && { email: to }),
    });
    setIsBusy(false);
    if (answer.ok) {
      const { sent_to } = answer.value;
      setDone(sent_to === null ? copy.sentBefore : copy.sentTo(sent_to));
    } else if (isRefusal(answer.failure, "email_needed")) setAsks(true);
    else setProblem(answer.failure.kind === "network" ? copy.offline : answer.failure.message);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = email.safeParse(new FormData(event.currentTarget).get("prize_email"));
    const mistake = typed.success
      ? doubtEmail(typed.data, "prize_email")
      : typed.error.issues[0]?.message;
    if (typed.success && mistake === null) {
      send(typed.data);
    } else {
      setProblem(mistake);
      document.getElementById("prize_email")?.focus();
    }
  }

  return (
    <div className="grid gap-2">
      {done === "" && !asks && (
        <Action look="secondary" isBusy={isBusy} onClick={() => send()}>
          {isBusy ? copy.sending : copy.action}
        </Action>
      )}
      {done === "" && asks && (
        <form className="grid gap-3" onSubmit={submit} onInput={() => setProblem("")} noValidate>
          <p className="font-bold">{copy.address}</p>
          <TextField
            name="prize_email"
            label={customerCopy.email}
            type="email"
            inputMode="email"
            autoComplete="email"
            enterKeyHint="send"
            mistake={problem === "" ? undefined : problem}
          />
          <Action look="secondary" type="submit" isBusy={isBusy}>
            {isBusy ? copy.sending : copy.send}
          </Action>
        </form>
      )}
      <p aria-live="polite" className="text-base empty:hidden">
        {asks && done === "" ? "" : done || problem}
      </p>
    </div>
  );
}
