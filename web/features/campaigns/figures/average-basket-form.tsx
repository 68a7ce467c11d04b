import { type FormEvent, useState } from "react";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { useLeaveWarning } from "../../../ui/use-leave-warning.tsx";
import { useUnsavedInput } from "../../../ui/use-unsaved-input.tsx";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";
import { basketFailure, useSaveBasket } from "./campaign-figures.mutations.ts";
import { basketText, readBasket } from "./read-basket.ts";

const copy = campaignFiguresCopy.basket;

type AverageBasketFormProps = { storeId: string; storeName: string; basket: number | null };

/** What a customer spends on a visit. What is typed stays until it is saved, also when somebody else saves first. */
export function AverageBasketForm({ storeId, storeName, basket }: AverageBasketFormProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setIsWrong] = useState(false);
  const save = useSaveBasket(storeId);
  const mayWrite = useMay().may("stores.write");
  const text = typed ?? basketText(basket);
  const isUnsaved = typed !== null && text !== basketText(basket);
  const warning = useLeaveWarning(isUnsaved);
  const found = useUnsavedInput({
    isUnsaved,
    saved: () => ({ text: basketText(basket) }),
    typed: () => ({ text }),
    put: (values) => setTyped(values.text),
    drop: () => setTyped(null),
  });
  if (!mayWrite) return null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const amount = readBasket(text);
    setIsWrong(amount === undefined);
    if (amount === undefined) return;
    save.mutate({ before: basket, basket: amount }, { onSuccess: () => setTyped(null) });
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      className="grid gap-3 border-t border-line pt-5 print:hidden"
    >
      {found}
      <Field label={copy.label} hint={copy.hint(storeName)} error={isWrong ? copy.rule : undefined}>
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
      {save.isError && <Alert>{basketFailure(save.error)}</Alert>}
      {save.isSuccess && <Notice tone="done">{copy.saved}</Notice>}
      {warning}
    </form>
  );
}
