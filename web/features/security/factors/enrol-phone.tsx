import { type SubmitEvent, useState } from "react";
import { phone as phoneShape } from "#domain/rules/contact.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { internationalPhone } from "../../../lib/phone-number.ts";
import { RESEND_SECONDS, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { Card } from "../card.tsx";
import { securityCopy } from "../security.copy.ts";
import { useEnrolPhone, useSendCode } from "../security.mutations.ts";
import { EnrolProblem } from "./enrol-problem.tsx";
import type { EnrolProps } from "./enrol-totp.tsx";
import { FactorCode } from "./factor-code.tsx";
import { NameField } from "./name-field.tsx";

const copy = securityCopy.factors;

/** Adds a phone: its number, then the code of the first text message. */
export function EnrolPhone({ factors, isFirst, onDone, onCancel }: EnrolProps) {
  const [name, setName] = useState<string>(copy.phoneName);
  const [phone, setPhone] = useState("");
  const [mistake, setMistake] = useState<string | undefined>();
  const [isBlank, setIsBlank] = useState(false);
  const enrol = useEnrolPhone();

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = phoneShape.safeParse(phone);
    setMistake(read.error?.issues[0]?.message);
    setIsBlank(!name.trim());
    if (!read.success || !name.trim() || enrol.isPending) return;
    enrol.mutate({ name: name.trim(), phone: read.data, factors });
  };

  return (
    <Card>
      <h2 className="text-xl">{copy.phoneTitle}</h2>
      {enrol.data ? (
        <SentCode
          enrolled={enrol.data}
          phone={internationalPhone(phone)}
          onDone={onDone}
          onCancel={onCancel}
        />
      ) : (
        <form noValidate className="grid max-w-sm gap-5" onSubmit={submit}>
          <p className="text-pretty text-muted">{copy.phoneIntro}</p>
          {isFirst && <p className="text-pretty text-muted">{copy.codesFollow}</p>}
          <EnrolProblem error={enrol.error} />
          <Field label={copy.phone} hint={copy.phoneHint} error={mistake}>
            {(control) => (
              <TextInput
                {...control}
                type="tel"
                inputMode="tel"
                autoComplete="tel"
                value={phone}
                onChange={(event) => setPhone(event.target.value)}
              />
            )}
          </Field>
          <NameField value={name} isBlank={isBlank} onChange={setName} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={enrol.isPending}>
              {copy.send}
            </Button>
            <Button variant="quiet" onClick={onCancel}>
              {uiCopy.cancel}
            </Button>
          </div>
        </form>
      )}
    </Card>
  );
}

type SentCodeProps = {
  enrolled: { factorId: string; challengeId: string };
  phone: string;
  onDone: () => void;
  onCancel: () => void;
};

/** The text message is on its way: its code, or another one. */
function SentCode({ enrolled, phone, onDone, onCancel }: SentCodeProps) {
  const [left, pause] = useCountdown(RESEND_SECONDS);
  const send = useSendCode();
  return (
    <>
      <p role="status">{copy.smsSent(phone)}</p>
      <FactorCode
        factorId={enrolled.factorId}
        challengeId={send.data ?? enrolled.challengeId}
        hint={copy.smsCodeHint}
        onDone={onDone}
        onCancel={onCancel}
      />
      {send.error && <Alert>{errorMessage(send.error, authErrorsCopy)}</Alert>}
      <Button
        variant="quiet"
        className="-ml-4 justify-self-start tabular-nums"
        busy={send.isPending}
        waiting={left > 0}
        onClick={() =>
          send.mutate(enrolled.factorId, {
            onSuccess: () => pause(RESEND_SECONDS),
            onError: (error) => {
              if (error instanceof AppError && error.retryAfter) pause(error.retryAfter);
            },
          })
        }
      >
        {left > 0 ? copy.resendIn(left) : copy.resend}
      </Button>
    </>
  );
}
