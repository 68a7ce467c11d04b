import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { securityCopy } from "../security.copy.ts";
import { useVerifyFactor } from "../security.mutations.ts";
import { EnrolProblem } from "../security-frame.tsx";

const copy = securityCopy.factors;

/** Longest name of a factor: the list has to stay a list. */
const LONGEST = 60;

type NameFormProps = {
  intro: string;
  /** Name that stands in the field at first. */
  proposed: string;
  action: string;
  /** Whether this factor turns the second step on: recovery codes follow. */
  isFirst: boolean;
  enrolling: { error: Error | null; isPending: boolean };
  /** Sentences for refusals, by code. */
  words?: Readonly<Record<string, string>>;
  /** Checks what stands above the name; false where it has to be mended. */
  check?: () => boolean;
  onName: (name: string) => void;
  onCancel: () => void;
  children?: ReactNode;
};

/** First step of a new factor: what it is, its name, and what else it asks. */
export function NameForm(props: NameFormProps) {
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
            maxLength={LONGEST}
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
export function CodeForm({ factorId, challengeId, hint, onDone, onCancel }: CodeFormProps) {
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
