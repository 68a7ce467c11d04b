import { useId } from "react";
import { useForm } from "react-hook-form";
import type { NewApiKey } from "#domain/schemas/api-keys.ts";
import { Button, ButtonRow } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useCloseWarning } from "../../ui/unsaved/use-close-warning.tsx";
import { useUnsavedForm } from "../../ui/unsaved/use-unsaved-form.ts";
import { useModal } from "../../ui/use-modal.ts";
import { apiKeysCopy } from "./api-keys.copy.ts";
import { type KeyForm, useCreateKey } from "./api-keys.mutations.ts";
import { NewKeyForm } from "./new-key-form.tsx";

/** Identifies the form on its page. */
export const NEW_KEY = "key";

const BLANK: KeyForm = { name: "", scope: "read", storeId: "", days: "" };

/** Asks for a key, then shows it, this once. Rendered only while it is asked. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const dialog = useModal();
  const id = useId();
  const create = useCreateKey();
  const made: NewApiKey | undefined = create.data;
  const form = useForm<KeyForm>({ defaultValues: BLANK });
  const isUnsaved = form.formState.isDirty && !made;
  const { close, warning } = useCloseWarning(isUnsaved, onClose);
  const found = useUnsavedForm(form, isUnsaved, NEW_KEY);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        // The key is lost with the window: Escape does not lose it.
        if (!create.isPending && !made) close();
      }}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-surface p-6 text-ink shadow-card backdrop:bg-ink/50 dark:backdrop:bg-black/60"
    >
      {made ? (
        <KeyShown titleId={id} made={made} onClose={onClose} />
      ) : (
        <NewKeyForm titleId={id} form={form} create={create} found={found} onClose={close} />
      )}
      {warning}
    </dialog>
  );
}

type KeyShownProps = { titleId: string; made: NewApiKey; onClose: () => void };

/** A key that was just made, to copy: it is shown nowhere else. */
function KeyShown({ titleId, made, onClose }: KeyShownProps) {
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <h2 id={titleId} className="text-xl">
          {apiKeysCopy.made.title}
        </h2>
        <p className="text-pretty text-muted">{apiKeysCopy.made.text}</p>
      </div>
      <label className="grid gap-1.5 font-semibold">
        {apiKeysCopy.made.label(made.name)}
        <textarea
          readOnly
          rows={2}
          value={made.key}
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          className="w-full resize-none rounded-field border-[1.5px] border-field bg-paper p-3.5 font-mono text-base break-all text-ink"
        />
      </label>
      <ButtonRow>
        <CopyButton
          text={made.key}
          label={apiKeysCopy.made.copy}
          copied={apiKeysCopy.made.copied}
        />
        <Button onClick={onClose}>{apiKeysCopy.made.close}</Button>
      </ButtonRow>
    </div>
  );
}
