import { useQuery } from "@tanstack/react-query";
import {
  FingerprintPattern,
  MessageSquareText,
  ShieldCheck,
  ShieldOff,
  Smartphone,
} from "lucide-react";
import { useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { knowsPasskeys } from "../../../lib/auth/knows-passkeys.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { formatDate } from "../../../lib/format.ts";
import { phoneEnding } from "../../../lib/phone-number.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { securityCopy } from "../security.copy.ts";
import { useCreateRecoveryCodes, useRemoveFactor } from "../security.mutations.ts";
import { type Factor, factorsQuery } from "../security.queries.ts";
import { Card, Loading, SecurityFrame } from "../security-frame.tsx";
import { EnrolFactor } from "./enrol-factor.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const copy = securityCopy.factors;

/** `/settings/2fa`: the second factors of one's account, and the codes for when they are lost. */
export function FactorsPage() {
  const { supabase, config } = useApp();
  const factors = useQuery(factorsQuery(supabase));
  const [adding, setAdding] = useState<Factor["kind"] | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const all = factors.data ?? [];
  const verified = all.filter(({ isVerified }) => isVerified);
  const isOn = verified.length > 0;

  const codes = useCreateRecoveryCodes();

  const close = () => setAdding(null);
  const finish = () => {
    close();
    setNews(copy.added);
    // The codes belong to turning it on: without them a lost phone locks the account.
    if (!isOn) codes.mutate();
  };
  const begin = (kind: Factor["kind"]) => {
    setNews(null);
    setAdding(kind);
  };

  return (
    <SecurityFrame title={copy.title} text={copy.text}>
      <Card>
        <Loading of={factors} />
        {factors.data && (
          <>
            <State isOn={isOn} />
            {news && <Notice tone="done">{news}</Notice>}
            {isOn && <FactorList factors={verified} onRemoved={() => setNews(copy.removed)} />}
            {adding === null && !codes.data && !codes.isPending && (
              <div className="flex flex-wrap gap-3">
                <Button variant={isOn ? "secondary" : "primary"} onClick={() => begin("totp")}>
                  <Smartphone aria-hidden="true" className="size-5" />
                  {copy.addTotp}
                </Button>
                {knowsPasskeys() && (
                  <Button variant="secondary" onClick={() => begin("webauthn")}>
                    <FingerprintPattern aria-hidden="true" className="size-5" />
                    {passkeyCopy.add}
                  </Button>
                )}
                {config.phone && (
                  <Button variant="secondary" onClick={() => begin("phone")}>
                    <MessageSquareText aria-hidden="true" className="size-5" />
                    {copy.addPhone}
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </Card>
      {adding && (
        <EnrolFactor kind={adding} factors={all} isFirst={!isOn} onDone={finish} onCancel={close} />
      )}
      {isOn && adding === null && <RecoveryCodes create={codes} />}
    </SecurityFrame>
  );
}

function State({ isOn }: { isOn: boolean }) {
  const Icon = isOn ? ShieldCheck : ShieldOff;
  return (
    <p className="flex items-center gap-3 text-lg font-semibold">
      <Icon
        aria-hidden="true"
        className={`size-7 shrink-0 ${isOn ? "text-mint-ink" : "text-muted"}`}
      />
      {isOn ? copy.on : copy.off}
    </p>
  );
}

const KINDS = { ...copy.kinds, webauthn: passkeyCopy.kind };
const ICONS = { totp: Smartphone, phone: MessageSquareText, webauthn: FingerprintPattern };

const nameOf = ({ name, kind }: Factor) => name || KINDS[kind];

type FactorListProps = { factors: readonly Factor[]; onRemoved: () => void };

/** The factors that are asked for when signing in, each with its way out. */
function FactorList({ factors, onRemoved }: FactorListProps) {
  const [leaving, setLeaving] = useState<Factor | null>(null);
  const remove = useRemoveFactor();
  return (
    <>
      <ul aria-label={copy.listTitle} className="grid divide-y divide-line border-y border-line">
        {factors.map((factor) => {
          const Icon = ICONS[factor.kind];
          return (
            <li key={factor.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <Icon aria-hidden="true" className="size-6 shrink-0 text-violet" />
              <div className="min-w-40 flex-1">
                <p className="font-semibold">{nameOf(factor)}</p>
                <p className="text-sm text-muted">
                  {[
                    factor.name && KINDS[factor.kind],
                    factor.phone && copy.phoneEnding(phoneEnding(factor.phone)),
                    copy.since(formatDate(factor.createdAt)),
                  ]
                    .filter(Boolean)
                    .join(", ")}
                </p>
              </div>
              <Button
                variant="secondary"
                aria-label={copy.removeNamed(nameOf(factor))}
                onClick={() => {
                  remove.reset();
                  setLeaving(factor);
                }}
              >
                {copy.remove}
              </Button>
            </li>
          );
        })}
      </ul>
      {leaving && (
        <ConfirmDialog
          title={copy.removeTitle(nameOf(leaving))}
          action={copy.remove}
          busy={remove.isPending}
          problem={remove.error && errorMessage(remove.error, authErrorsCopy)}
          onClose={() => setLeaving(null)}
          // Not callbacks of `mutate`: with the last factor this list goes, and they with it.
          onConfirm={() =>
            remove.mutateAsync(leaving.id).then(
              () => {
                setLeaving(null);
                onRemoved();
              },
              () => {},
            )
          }
        >
          {factors.length === 1 ? copy.removeLast : copy.removeOther}
        </ConfirmDialog>
      )}
    </>
  );
}
