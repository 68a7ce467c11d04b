import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { phone as phoneShape } from "#domain/rules/contact.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { internationalPhone } from "../../../lib/phone-number.ts";
import { pauseAfter, RESEND_SECONDS, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { securityCopy } from "../security.copy.ts";
import {
  useEnrolPasskey,
  useEnrolPhone,
  useEnrolTotp,
  useSendCode,
  useVerifyFactor,
} from "../security.mutations.ts";
import type { Factor } from "../security.queries.ts";
import { Card, EnrolProblem } from "../security-frame.tsx";

const copy = securityCopy.factors;

type EnrolProps = {
  /** The factors that are there already, finished or not. */
  factors: readonly Factor[];
  /** Whether this factor turns the second step on: recovery codes follow. */
  isFirst: boolean;
  onDone: () => void;
  onCancel: () => void;
};

const TITLES = { totp: copy.totpTitle, phone: copy.phoneTitle, webauthn: passkeyCopy.title };

const STEPS = { totp: EnrolTotp, phone: EnrolPhone, webauthn: EnrolPasskey };

/** Adds a factor of a kind. */
export function EnrolFactor({ kind, ...enrolment }: EnrolProps & { kind: Factor["kind"] }) {
  const Steps = STEPS[kind];
  return (
    <Card>
      <h2 className="text-xl">{TITLES[kind]}</h2>
      <Steps {...enrolment} />
    </Card>
  );
}

/** An authenticator application: a name, then its key, then the first code. */
function EnrolTotp({ factors, isFirst, onDone, onCancel }: EnrolProps) {
  const enrol = useEnrolTotp();
  if (!enrol.data) {
    return (
      <NameForm
        intro={copy.totpIntro}
        proposed={copy.totpName}
        action={copy.next}
        isFirst={isFirst}
        enrolling={enrol}
        onName={(name) => enrol.mutate({ name, factors })}
        onCancel={onCancel}
      />
    );
  }
  return (
    <>
      <Key secret={enrol.data.secret} uri={enrol.data.uri} />
      <CodeForm
        factorId={enrol.data.factorId}
        hint={copy.codeHint}
        onDone={onDone}
        onCancel={onCancel}
      />
    </>
  );
}

/** The secret of a new factor: for a camera, for an application on this device, and as letters. */
function Key({ secret, uri }: { secret: string; uri: string }) {
  return (
    <div className="grid gap-5 sm:grid-cols-[auto_1fr] sm:items-center sm:gap-7">
      <QrCode
        text={uri}
        label={copy.qr}
        className="light size-48 justify-self-center rounded-field border border-line bg-surface"
      />
      <div className="grid gap-4">
        <p className="text-lg">{copy.scan}</p>
        <a
          href={uri}
          className="inline-flex min-h-11 items-center justify-self-start font-semibold text-violet underline-offset-4 hover:underline sm:hidden"
        >
          {copy.openHere}
        </a>
        <p className="text-muted">{copy.secret}</p>
        <p className="font-bold tracking-[0.08em] break-all tabular-nums select-all">
          {secret.match(/.{1,4}/g)?.join(" ")}
        </p>
        <div>
          <CopyButton text={secret} label={copy.copySecret} copied={copy.copied} />
        </div>
      </div>
    </div>
  );
}

/** A phone: its number, then the code of the first text message. */
function EnrolPhone({ factors, isFirst, onDone, onCancel }: EnrolProps) {
  const [phone, setPhone] = useState("");
  const [mistake, setMistake] = useState<string | undefined>();
  const enrol = useEnrolPhone();
  const check = () => {
    const read = phoneShape.safeParse(phone);
    setMistake(read.error?.issues[0]?.message);
    return read.success;
  };
  if (enrol.data) {
    return (
      <SentCode
        enrolled={enrol.data}
        phone={internationalPhone(phone)}
        onDone={onDone}
        onCancel={onCancel}
      />
    );
  }
  return (
    <NameForm
      intro={copy.phoneIntro}
      proposed={copy.phoneName}
      action={copy.send}
      isFirst={isFirst}
      enrolling={enrol}
      check={check}
      onName={(name) => enrol.mutate({ name, phone: phoneShape.parse(phone), factors })}
      onCancel={onCancel}
    >
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
    </NameForm>
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
      <CodeForm
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
        onClick={() => send.mutate(enrolled.factorId, pauseAfter(pause))}
      >
        {left > 0 ? copy.resendIn(left) : copy.resend}
      </Button>
    </>
  );
}

/** The key of a device: a name, and the device asks the rest. */
function EnrolPasskey({ factors, isFirst, onDone, onCancel }: EnrolProps) {
  const enrol = useEnrolPasskey();
  return (
    <NameForm
      intro={passkeyCopy.intro}
      proposed={passkeyCopy.name}
      action={passkeyCopy.make}
      isFirst={isFirst}
      enrolling={enrol}
      words={passkeyCopy.problems}
      onName={(name) => enrol.mutate({ name, factors }, { onSuccess: onDone })}
      onCancel={onCancel}
    />
  );
}

/** Longest name of a factor: the list has to stay a list. */
const NAME_MAX_LENGTH = 60;

type NameFormProps = {
  intro: string;
  /** Initial value of the name field. */
  proposed: string;
  action: string;
  /** Whether this factor turns the second step on: recovery codes follow. */
  isFirst: boolean;
  enrolling: { error: Error | null; isPending: boolean };
  /** Sentences for refusals, by code. */
  words?: Readonly<Record<string, string>>;
  /** Checks the fields above the name; false where one has to be corrected. */
  check?: () => boolean;
  onName: (name: string) => void;
  onCancel: () => void;
  children?: ReactNode;
};

/** First step of a new factor: what it is, its name, and what else it asks. */
function NameForm(props: NameFormProps) {
  const { intro, proposed, action, isFirst, enrolling, words, check, onName, onCancel } = props;
  const [name, setName] = useState(proposed);
  const [isBlank, setIsBlank] = useState(false);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isRight = check?.() ?? true;
    setIsBlank(!name.trim());
    if (isRight && name.trim() && !enrolling.isPending) onName(name.trim());
  };

  return (
    <form noValidate className="grid max-w-sm gap-5" onSubmit={submit}>
      <p className="text-pretty text-muted">{intro}</p>
      {isFirst && <p className="text-pretty text-muted">{copy.codesFollow}</p>}
      <EnrolProblem error={enrolling.error} {...(words && { words })} />
      {props.children}
      <Field label={copy.name} hint={copy.nameHint} error={isBlank ? copy.nameRequired : undefined}>
        {(control) => (
          <TextInput
            {...control}
            value={name}
            maxLength={NAME_MAX_LENGTH}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Actions action={action} isBusy={enrolling.isPending} onCancel={onCancel} />
    </form>
  );
}

type CodeFormProps = {
  factorId: string;
  /** Of the text message that was sent; applications need none. */
  challengeId?: string;
  hint: string;
  onDone: () => void;
  onCancel: () => void;
};

/** The first code of a new factor, which proves that it works. */
function CodeForm({ factorId, challengeId, hint, onDone, onCancel }: CodeFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [isBlank, setIsBlank] = useState(false);
  const verify = useVerifyFactor();
  useEffect(() => field.current?.focus(), []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsBlank(!code.trim());
    if (!code.trim() || verify.isPending) return;
    verify.mutate(
      { factorId, code, ...(challengeId && { challengeId }) },
      { onSuccess: onDone, onError: () => field.current?.select() },
    );
  };

  return (
    <form noValidate className="grid max-w-sm gap-5" onSubmit={submit}>
      {verify.error && <Alert>{errorMessage(verify.error, authErrorsCopy)}</Alert>}
      <Field label={copy.code} hint={hint} error={isBlank ? copy.codeRequired : undefined}>
        {(control) => (
          <CodeInput
            {...control}
            ref={field}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <Actions action={copy.activate} isBusy={verify.isPending} onCancel={onCancel} />
    </form>
  );
}

type ActionsProps = { action: string; isBusy: boolean; onCancel: () => void };

function Actions({ action, isBusy, onCancel }: ActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={isBusy}>
        {action}
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        {uiCopy.cancel}
      </Button>
    </div>
  );
}
