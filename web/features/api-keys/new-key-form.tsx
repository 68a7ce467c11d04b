import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { API_KEY_NAME_MAX_LENGTH, type ApiScope } from "#domain/schemas/api-keys.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button, ButtonRow } from "../../ui/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { NamedOptions } from "../../ui/forms/named-options.tsx";
import { SelectInput } from "../../ui/forms/select-input.tsx";
import { TextInput } from "../../ui/forms/text-input.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";
import { apiKeysCopy } from "./api-keys.copy.ts";
import type { KeyForm, useCreateKey } from "./api-keys.mutations.ts";

const copy = apiKeysCopy.dialog;

type NewKeyFormProps = {
  scopes: readonly ApiScope[];
  form: UseFormReturn<KeyForm>;
  create: ReturnType<typeof useCreateKey>;
  /** Says that what was typed before is back. */
  found: ReactNode;
  onClose: () => void;
};

/** Name, permissions, store and end of a key. */
export function NewKeyForm({ scopes, form, create, found, onClose }: NewKeyFormProps) {
  const stores = useWorkspace()?.stores ?? [];
  const isForTill = form.watch("scope") === "redeem";
  const send = (values: KeyForm) => {
    if (!create.isPending) create.mutate(values);
  };
  return (
    <form noValidate className="grid gap-5" onSubmit={form.handleSubmit(send, create.reset)}>
      {found}
      <Field label={copy.name} hint={copy.nameHint} error={form.formState.errors.name?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...form.register("name", {
              validate: (name) => seenText(name) !== "" || copy.nameRequired,
            })}
            maxLength={API_KEY_NAME_MAX_LENGTH}
            autoComplete="off"
          />
        )}
      </Field>
      <fieldset className="grid gap-3">
        <legend className="mb-1.5 font-semibold">{copy.scope}</legend>
        {scopes.map((scope) => (
          <label
            key={scope}
            className="flex cursor-pointer gap-3 rounded-field border-[1.5px] border-field bg-surface p-4 transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
          >
            <input
              type="radio"
              value={scope}
              {...form.register("scope")}
              className="mt-1 size-4.5 shrink-0 outline-none"
            />
            <span className="grid gap-0.5">
              <span className="font-semibold">{apiKeysCopy.scopes[scope]}</span>
              <span className="text-sm text-pretty text-muted">
                {apiKeysCopy.scopeTexts[scope]}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {isForTill && (
        <Field label={copy.store} hint={copy.storeHint}>
          {(control) => (
            <SelectInput {...control} {...form.register("storeId")}>
              <option value="">{copy.allStores}</option>
              <NamedOptions of={stores} />
            </SelectInput>
          )}
        </Field>
      )}
      <Field label={copy.expiry}>
        {(control) => (
          <SelectInput {...control} {...form.register("days")}>
            {Object.entries(copy.expiries).map(([days, label]) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      {create.error && <Alert>{errorMessage(create.error, apiKeysCopy.failures)}</Alert>}
      <ButtonRow>
        <Button variant="secondary" waiting={create.isPending} onClick={onClose}>
          {uiCopy.cancel}
        </Button>
        <Button type="submit" busy={create.isPending}>
          {copy.submit}
        </Button>
      </ButtonRow>
    </form>
  );
}
