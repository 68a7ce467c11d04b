import { type Dispatch, type SetStateAction, type SubmitEvent, useState } from "react";
import { isDarkened, PRODUCT_COLOR } from "#domain/rules/brand-colors.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { TextInput } from "../../ui/forms/text-input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { brandCopy } from "./brand.copy.ts";
import { useSaveColor } from "./brand.mutations.ts";

const copy = brandCopy.color;

type ColorCardProps = {
  orgId: string;
  saved: string | null;
  /** Typed text, whether or not it is a colour; null: the product's own colour. */
  draft: string | null;
  onDraft: Dispatch<SetStateAction<string | null>>;
};

/** The colour of buttons: picked or typed, said to be readable or darkened, saved. */
export function ColorCard({ orgId, saved, draft, onDraft }: ColorCardProps) {
  const [isChecked, setIsChecked] = useState(false);
  const save = useSaveColor(orgId);
  const text = draft ?? PRODUCT_COLOR;
  const isSound = isColor(text);
  const isUnsaved = draft !== saved;
  const change = (next: string | null) => {
    onDraft(next);
    setIsChecked(false);
  };
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    setIsChecked(true);
    if (!isSound) return;
    const color = draft === null ? null : text.toLowerCase();
    // A colour that is chosen while this one is saved stays.
    save.mutate(color, { onSuccess: () => onDraft((now) => (now === draft ? color : now)) });
  };
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <form noValidate className="grid gap-4" onSubmit={send}>
        <div className="flex flex-wrap items-end gap-4">
          <input
            type="color"
            aria-label={copy.picker}
            value={isSound ? text.toLowerCase() : PRODUCT_COLOR}
            onChange={({ currentTarget }) => change(currentTarget.value)}
            className="h-12 w-16 shrink-0 cursor-pointer rounded-field border-[1.5px] border-field bg-surface p-1"
          />
          <div className="min-w-0 grow sm:max-w-xs">
            <Field
              label={copy.code}
              hint={copy.hint}
              error={isChecked && !isSound ? copy.malformed : undefined}
            >
              {(field) => (
                <TextInput
                  {...field}
                  value={text}
                  spellCheck={false}
                  autoComplete="off"
                  autoCapitalize="none"
                  maxLength={7}
                  onChange={({ currentTarget }) => change(currentTarget.value.trim())}
                />
              )}
            </Field>
          </div>
        </div>
        {isSound && draft !== null && (
          <p role="status" className="max-w-[60ch] text-pretty text-muted">
            {isDarkened(text.toLowerCase()) ? copy.darkened : copy.readable}
          </p>
        )}
        {save.isError && <Alert>{errorMessage(save.error, { TV150: copy.notInPlan })}</Alert>}
        {save.isSuccess && !isUnsaved && <Notice tone="done">{copy.saved}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={save.isPending}>
            {copy.save}
          </Button>
          {draft !== null && (
            <Button variant="quiet" onClick={() => change(null)}>
              {copy.reset}
            </Button>
          )}
        </div>
      </form>
    </TitledCard>
  );
}

/** Whether a text is a colour as the database takes it, in capitals or not. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}
