import { lazyRouteComponent } from "@tanstack/react-router";
import { type SubmitEvent, Suspense, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { phoneEnding } from "../../../lib/phone-number.ts";
import { pauseAfter, useCountdown } from "../../../lib/use-countdown.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/forms/choice.tsx";
import { CodeInput } from "../../../ui/forms/code-input.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { authCopy } from "../auth.copy.ts";
import { type SecondFactor, useGiveFactor, useSendFactorCode } from "./second-factor.queries.ts";

const copy = authCopy.secondFactor;

/** Speaks with the device: who types a code needs none of it. */
const PasskeyForm = lazyRouteComponent(() => import("./passkey-form.tsx"), "PasskeyForm");

function nameOf({ type, name, phone }: SecondFactor): string {
  if (name) return name;
  if (type === "phone") return copy.phoneName(phoneEnding(phone));
  return type === "totp" ? copy.totpName : passkeyCopy.kind;
}

type FactorFormProps = {
  factors: SecondFactor[];
  /** Called once the factor was taken, where something follows at once. */
  onGiven?: () => Promise<void>;
};

/** One of the person's factors: its six digits, or the key of a device. */
export function FactorForm({ factors, onGiven }: FactorFormProps) {
  const [chosen, setChosen] = useState(factors[0]?.id ?? "");
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0];
  if (!factor) return null;
  return (
    <div className="grid gap-5">
      {factors.length > 1 && (
        <Choice
          label={copy.factor}
          options={factors.map((one) => ({ name: one.id, label: nameOf(one) }))}
          current={factor.id}
          onChange={setChosen}
        />
      )}
      {factor.type === "webauthn" ? (
        <Suspense>
          <PasskeyForm key={factor.id} factorId={factor.id} onGiven={onGiven} />
        </Suspense>
      ) : (
        <CodeForm key={factor.id} factor={factor} onGiven={onGiven} />
      )}
    </div>
  );
}

type CodeFormProps = { factor: SecondFactor; onGiven: FactorFormProps["onGiven"] };

function CodeForm({ factor, onGiven }: CodeFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [isBlank, setIsBlank] = useState(false);
  const send = useSendFactorCode();
  const give = useGiveFactor(onGiven);
  const isPhone = factor.type === "phone";
  const challengeId = send.data ?? null;

  // The one thing to do here; a code that was refused is written over.
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (give.isError) field.current?.select();
  }, [give.isError]);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (give.isPending) return;
    setIsBlank(!code.trim());
    if (code.trim()) give.mutate({ factorId: factor.id, challengeId, code });
  };
  const problem = give.error ?? send.error;

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      {isPhone ? (
        <SendCode factor={factor} send={send} />
      ) : (
        <p className="text-lg text-pretty text-muted">{copy.totp}</p>
      )}
      {problem && <Alert>{errorMessage(problem, authErrorsCopy)}</Alert>}
      {(!isPhone || challengeId) && (
        <>
          <Field label={copy.code} error={isBlank ? copy.codeRequired : undefined}>
            {(control) => (
              <CodeInput
                {...control}
                ref={field}
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" size="lg" busy={give.isPending} className="w-full">
            {copy.submit}
          </Button>
        </>
      )}
    </form>
  );
}

type SendCodeProps = { factor: SecondFactor; send: ReturnType<typeof useSendFactorCode> };

/** Asks for the text message, and again after a pause. */
function SendCode({ factor, send }: SendCodeProps) {
  const [left, pause] = useCountdown();
  const ending = phoneEnding(factor.phone);
  const words = left > 0 ? copy.resendIn(left) : send.isSuccess ? copy.resend : copy.send;
  return (
    <>
      <p role="status" className="text-lg text-pretty text-muted">
        {send.isSuccess ? copy.phoneSent(ending) : copy.phone(ending)}
      </p>
      <Button
        variant={send.isSuccess ? "secondary" : "primary"}
        className="justify-self-start tabular-nums"
        busy={send.isPending}
        waiting={left > 0}
        onClick={() => send.mutate(factor.id, pauseAfter(pause))}
      >
        {words}
      </Button>
    </>
  );
}
