import { useForm } from "react-hook-form";
import type { ApiScope, NewApiKey } from "#domain/schemas/api-keys.ts";
import { Button, ButtonRow } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useCloseWarning } from "../../ui/unsaved/use-close-warning.tsx";
import { useUnsavedForm } from "../../ui/unsaved/use-unsaved-form.ts";
import { apiKeysCopy } from "./api-keys.copy.ts";
import { type KeyForm, useCreateKey } from "./api-keys.mutations.ts";
import { NewKeyForm } from "./new-key-form.tsx";

/** Identifies the form on its page. */
export const NEW_KEY = "key";

type NewKeyDialogProps = {
  /** Scopes that the user may give, and the one that is chosen at first. */
  scopes: readonly ApiScope[];
  first: ApiScope;
  onClose: () => void;
};

/** Asks for a key, then shows it, this once. Rendered only while it is asked. */
export function NewKeyDialog({ scopes, first, onClose }: NewKeyDialogProps) {
  const create = useCreateKey();
  const made: NewApiKey | undefined = create.data;
  const form = useForm<KeyForm>({
    defaultValues: { name: "", scope: first, storeId: "", days: "" },
  });
  const isUnsaved = form.formState.isDirty && !made;
  const { close, warning } = useCloseWarning(isUnsaved, onClose);
  const found = useUnsavedForm(form, isUnsaved, NEW_KEY);
  return (
    <Dialog
      title={made ? apiKeysCopy.made.title : apiKeysCopy.dialog.title}
      intro={made && <p className="text-pretty text-muted">{apiKeysCopy.made.text}</p>}
      width="w-136"
      // The key is lost with the window: Escape does not lose it.
      locked={create.isPending || made !== undefined}
      onClose={close}
    >
      {made ? (
        <KeyShown made={made} onClose={onClose} />
      ) : (
        <NewKeyForm scopes={scopes} form={form} create={create} found={found} onClose={close} />
      )}
      {warning}
    </Dialog>
  );
}

type KeyShownProps = { made: NewApiKey; onClose: () => void };

/** A key that was just made, to copy: it is shown nowhere else. */
function KeyShown({ made, onClose }: KeyShownProps) {
  return (
    <>
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
    </>
  );
}
