import { ImageUp, Trash2 } from "lucide-react";
import { type ChangeEvent, useId, useRef, useState } from "react";
import type { Logo } from "#domain/schemas/brand.ts";
import { LOGO_MAX_BYTES, LOGO_TYPES } from "#domain/schemas/brand-settings.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { logoAddress } from "../../ui/project-address.ts";
import { SegmentSpinner } from "../../ui/states/segment-spinner.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { brandCopy } from "./brand.copy.ts";
import { useSetLogo } from "./brand.mutations.ts";

const copy = brandCopy.logo;

/** Advice for each refusal of the server. */
const OWN = {
  network: copy.network,
  forbidden: copy.forbidden,
  logo_too_heavy: copy.tooHeavy,
  logo_too_large: copy.tooLarge,
  logo_unreadable: copy.unreadable,
};

type LogoCardProps = { orgId: string; organization: string; logo: Logo | null };

/** The logo: choose one, see it, put another in its place, take it away. */
export function LogoCard({ orgId, organization, logo }: LogoCardProps) {
  const [mistake, setMistake] = useState<string | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  const send = useSetLogo(orgId);
  const remove = useSetLogo(orgId);
  const isBusy = send.isPending || remove.isPending;

  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    // The same file can be chosen once more.
    currentTarget.value = "";
    if (!file || isBusy) return;
    remove.reset();
    send.reset();
    const wrong = mistakeOf(file);
    setMistake(wrong);
    if (wrong === null) send.mutate(file);
  };
  const problem = mistake ?? (send.isError ? errorMessage(send.error, OWN) : null);
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <div className="light grid min-h-32 place-items-center rounded-field border-[1.5px] border-line bg-surface p-5">
        {logo ? (
          <img
            src={logoAddress(logo.path)}
            alt={organization}
            width={Math.round(logo.width / 2)}
            height={Math.round(logo.height / 2)}
            className="h-auto max-w-full"
          />
        ) : (
          <p className="text-muted">{copy.none}</p>
        )}
      </div>
      <div className="grid gap-3">
        <input
          ref={input}
          type="file"
          accept={LOGO_TYPES.join(",")}
          aria-label={logo ? copy.replace : copy.choose}
          aria-describedby={hintId}
          onChange={choose}
          className="sr-only"
          tabIndex={-1}
        />
        <div className="flex flex-wrap gap-3">
          <Button
            aria-describedby={hintId}
            busy={send.isPending}
            waiting={remove.isPending}
            onClick={() => input.current?.click()}
          >
            {!send.isPending && <ImageUp aria-hidden="true" className="size-5" />}
            {logo ? copy.replace : copy.choose}
          </Button>
          {logo && (
            <Button variant="secondary" waiting={isBusy} onClick={() => setIsAsked(true)}>
              <Trash2 aria-hidden="true" className="size-5 text-coral-ink" />
              {copy.remove}
            </Button>
          )}
        </div>
        <p id={hintId} className="max-w-[60ch] text-sm text-pretty text-muted">
          {copy.hint}
        </p>
        {send.isPending && (
          <p role="status" className="flex items-center gap-2 text-muted">
            <SegmentSpinner className="size-5" />
            {copy.sending}
          </p>
        )}
        {problem && <Alert>{problem}</Alert>}
        {send.isSuccess && problem === null && logo && <Notice tone="done">{copy.sent}</Notice>}
        {remove.isSuccess && !logo && <Notice tone="done">{copy.removed}</Notice>}
      </div>
      {isAsked && (
        <ConfirmDialog
          title={copy.removeTitle}
          action={copy.remove}
          busy={remove.isPending}
          problem={
            remove.isError ? errorMessage(remove.error, { network: copy.removeFailed }) : null
          }
          onConfirm={() => {
            send.reset();
            setMistake(null);
            remove.mutate(null, { onSuccess: () => setIsAsked(false) });
          }}
          onClose={() => {
            setIsAsked(false);
            remove.reset();
          }}
        >
          {copy.removeText}
        </ConfirmDialog>
      )}
    </TitledCard>
  );
}

/** Mistake in a file before it is sent, in kind words; the server decides by its contents. */
function mistakeOf({ type, size }: File): string | null {
  if (!LOGO_TYPES.some((taken) => taken === type)) return copy.wrongType;
  return size > LOGO_MAX_BYTES ? copy.tooHeavy : null;
}
