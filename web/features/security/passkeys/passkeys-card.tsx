import { useQuery } from "@tanstack/react-query";
import { FingerprintPattern } from "lucide-react";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage } from "../../../lib/app-error.ts";
import { knowsPasskeys } from "../../../lib/auth/knows-passkeys.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { formatDate } from "../../../lib/format.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { securityCopy } from "../security.copy.ts";
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from "../security.mutations.ts";
import { type Passkey, passkeysQuery } from "../security.queries.ts";
import { Card, EnrolProblem, Loading } from "../security-frame.tsx";

const copy = securityCopy.passkeys;

/** Passkeys as a way in beside the password: the list, and one more for this device. */
export function PasskeysCard() {
  const { supabase } = useApp();
  const passkeys = useQuery(passkeysQuery(supabase));
  const [news, setNews] = useState<string | null>(null);
  const add = useAddPasskey();
  const isClosed = passkeys.error instanceof AppError && passkeys.error.code === "passkey_disabled";
  const canAdd = knowsPasskeys();
  if (isClosed || (!canAdd && !passkeys.data?.length)) return null;
  return (
    <Card>
      <h2 className="flex items-center gap-3 text-xl">
        <FingerprintPattern aria-hidden="true" className="size-6 text-violet" />
        {copy.title}
      </h2>
      <p className="max-w-[60ch] text-pretty text-muted">{copy.text}</p>
      <Loading of={passkeys} lines={1} />
      {news && <Notice tone="done">{news}</Notice>}
      {passkeys.data && passkeys.data.length > 0 && (
        <PasskeyList passkeys={passkeys.data} onNews={setNews} />
      )}
      <EnrolProblem error={add.error} words={passkeyCopy.problems} signInAgain={copy.signInAgain} />
      {passkeys.data && canAdd && (
        <Button
          variant="secondary"
          className="justify-self-start"
          busy={add.isPending}
          onClick={() => {
            setNews(null);
            add.mutate(undefined, { onSuccess: () => setNews(copy.added) });
          }}
        >
          {copy.add}
        </Button>
      )}
    </Card>
  );
}

/** Longest name of a passkey: the list has to stay a list. */
const NAME_MAX_LENGTH = 60;

const nameOf = ({ name }: Passkey) => name || copy.unnamed;

/** Sentence for a refusal of a passkey. */
const sentence = (error: Error) =>
  error instanceof AppError && error.code === "recent_sign_in_needed"
    ? copy.signInAgain
    : errorMessage(error, passkeyCopy.problems);

type PasskeyListProps = { passkeys: readonly Passkey[]; onNews: (news: string | null) => void };

/** The passkeys of one's account, each with its name and its way out. */
function PasskeyList({ passkeys, onNews }: PasskeyListProps) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<Passkey | null>(null);
  const remove = useRemovePasskey();
  /** Where the focus comes back to once the form of a name closes. */
  const renamed = useRef<string | null>(null);
  const done = (news: string) => {
    setRenaming(null);
    setLeaving(null);
    onNews(news);
  };
  return (
    <>
      <ul aria-label={copy.listTitle} className="grid divide-y divide-line border-y border-line">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-3 py-3">
            {renaming === passkey.id ? (
              <NameForm
                passkey={passkey}
                onDone={() => {
                  renamed.current = passkey.id;
                  done(copy.renamed);
                }}
                onCancel={() => {
                  renamed.current = passkey.id;
                  setRenaming(null);
                }}
              />
            ) : (
              <>
                <div className="min-w-40 flex-1">
                  <p className="font-semibold">{nameOf(passkey)}</p>
                  <p className="text-sm text-muted">
                    {copy.since(formatDate(passkey.createdAt))},{" "}
                    {passkey.usedAt ? copy.used(formatDate(passkey.usedAt)) : copy.unused}
                  </p>
                </div>
                <div className="flex flex-wrap gap-2">
                  <Button
                    variant="quiet"
                    aria-label={copy.renameNamed(nameOf(passkey))}
                    ref={(button) => {
                      if (button === null || renamed.current !== passkey.id) return;
                      renamed.current = null;
                      button.focus();
                    }}
                    onClick={() => {
                      onNews(null);
                      renamed.current = null;
                      setRenaming(passkey.id);
                    }}
                  >
                    {copy.rename}
                  </Button>
                  <Button
                    variant="secondary"
                    aria-label={copy.removeNamed(nameOf(passkey))}
                    onClick={() => {
                      onNews(null);
                      remove.reset();
                      setLeaving(passkey);
                    }}
                  >
                    {copy.remove}
                  </Button>
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
      {leaving && (
        <ConfirmDialog
          title={copy.removeTitle(nameOf(leaving))}
          action={copy.remove}
          busy={remove.isPending}
          problem={remove.error && sentence(remove.error)}
          onClose={() => setLeaving(null)}
          // Not a callback of `mutate`: with the last passkey this list goes, and it with the list.
          onConfirm={() =>
            remove.mutateAsync(leaving.id).then(
              () => done(copy.removed),
              () => {},
            )
          }
        >
          {copy.removeText}
        </ConfirmDialog>
      )}
    </>
  );
}

type NameFormProps = { passkey: Passkey; onDone: () => void; onCancel: () => void };

function NameForm({ passkey, onDone, onCancel }: NameFormProps) {
  const [name, setName] = useState(nameOf(passkey));
  const [isBlank, setIsBlank] = useState(false);
  const rename = useRenamePasskey();
  // The button that was pressed is gone: its focus comes here.
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const friendlyName = name.trim();
    setIsBlank(!friendlyName);
    if (!friendlyName || rename.isPending) return;
    rename.mutate({ passkeyId: passkey.id, friendlyName }, { onSuccess: onDone });
  };
  return (
    <form noValidate className="grid w-full max-w-sm gap-3" onSubmit={submit}>
      {rename.error && <Alert>{sentence(rename.error)}</Alert>}
      <Field label={copy.name} error={isBlank ? copy.nameRequired : undefined}>
        {(control) => (
          <TextInput
            {...control}
            value={name}
            maxLength={NAME_MAX_LENGTH}
            autoComplete="off"
            ref={field}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={rename.isPending}>
          {copy.save}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {uiCopy.cancel}
        </Button>
      </div>
    </form>
  );
}
