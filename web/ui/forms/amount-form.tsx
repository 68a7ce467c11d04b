import type { UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Alert } from "../alert.tsx";
import { Button } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { useLeaveWarning } from "../unsaved/use-leave-warning.tsx";
import { useUnsavedInput } from "../unsaved/use-unsaved-input.tsx";
import { Field } from "./field.tsx";
import { TextInput } from "./text-input.tsx";

type AmountFormProps<T> = {
  /** Identifies the form on its page. */
  name?: string;
  copy: { label: string; save: string; saved: string; rule: string };
  hint: string;
  /** Text to save, as one types it. */
  text: string;
  /** Reads what was typed; undefined of what is no such figure. */
  read: (typed: string) => T | undefined;
  save: UseMutationResult<void, Error, T>;
  failure: (error: Error) => string;
};

/** One figure that is edited in place. What is typed stays until it is saved, also when another user saves first. */
export function AmountForm<T>(props: AmountFormProps<T>) {
  const { name = "", copy, hint, text: savedText, read, save, failure } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setIsWrong] = useState(false);
  const text = typed ?? savedText;
  const isUnsaved = typed !== null && text !== savedText;
  const warning = useLeaveWarning(isUnsaved);
  const found = useUnsavedInput({
    name,
    isUnsaved,
    saved: () => ({ text: savedText }),
    typed: () => ({ text }),
    put: (values) => setTyped(values.text),
    drop: () => setTyped(null),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const amount = read(text);
    setIsWrong(amount === undefined);
    if (amount === undefined) return;
    save.mutate(amount, { onSuccess: () => setTyped((now) => (now === text ? null : now)) });
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      className="grid gap-3 border-t border-line pt-5 print:hidden"
    >
      {found}
      <Field label={copy.label} hint={hint} error={isWrong ? copy.rule : undefined}>
        {(control) => (
          <div className="flex gap-3">
            <TextInput
              {...control}
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              value={text}
              onChange={(event) => {
                setTyped(event.target.value);
                setIsWrong(false);
                if (!save.isPending) save.reset();
              }}
              className="max-w-40 tabular-nums"
            />
            <Button type="submit" variant="secondary" busy={save.isPending}>
              {copy.save}
            </Button>
          </div>
        )}
      </Field>
      {save.isError && <Alert>{failure(save.error)}</Alert>}
      {save.isSuccess && <Notice tone="done">{copy.saved}</Notice>}
      {warning}
    </form>
  );
}
