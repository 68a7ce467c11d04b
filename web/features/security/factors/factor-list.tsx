import { FingerprintPattern, MessageSquareText, Smartphone } from "lucide-react";
import { useState } from "react";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { formatDate } from "../../../lib/format.ts";
import { phoneEnding } from "../../../lib/phone-number.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { securityCopy } from "../security.copy.ts";
import { useRemoveFactor } from "../security.mutations.ts";
import type { Factor } from "../security.queries.ts";

const copy = securityCopy.factors;

const kinds = { ...copy.kinds, webauthn: passkeyCopy.kind };
const icons = { totp: Smartphone, phone: MessageSquareText, webauthn: FingerprintPattern };

const nameOf = ({ name, kind }: Factor) => name || kinds[kind];

type FactorListProps = { factors: readonly Factor[]; onRemoved: () => void };

/** The factors that are asked for when signing in, each with its way out. */
export function FactorList({ factors, onRemoved }: FactorListProps) {
  const [leaving, setLeaving] = useState<Factor | null>(null);
  const remove = useRemoveFactor();
  return (
    <>
      <ul aria-label={copy.listTitle} className="grid divide-y divide-line border-y border-line">
        {factors.map((factor) => {
          const Icon = icons[factor.kind];
          return (
            <li key={factor.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <Icon aria-hidden="true" className="size-6 shrink-0 text-violet" />
              <div className="min-w-40 flex-1">
                <p className="font-semibold break-words">{nameOf(factor)}</p>
                <p className="text-sm text-muted">
                  {[
                    factor.name && kinds[factor.kind],
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
