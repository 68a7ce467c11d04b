import { ScanLine, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ApiKey } from "#domain/schemas/api-keys.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { formatDate } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { apiKeysCopy as copy } from "./api-keys.copy.ts";
import { useRevokeKey } from "./api-keys.mutations.ts";

type KeyListProps = {
  keys: readonly ApiKey[];
  action: ReactNode;
  onNews: (news: string | null) => void;
};

/** Keys that are not revoked, and the action to revoke one. */
export function KeyList({ keys, action, onNews }: KeyListProps) {
  const revoke = useRevokeKey();
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const takeBack = ({ id, name }: ApiKey) =>
    revoke.mutate(id, {
      onSuccess: () => {
        setLeaving(null);
        onNews(copy.revoked(name));
      },
    });
  return (
    <TitledCard title={copy.list} action={action}>
      <ul aria-label={copy.list} className="grid divide-y divide-line border-t border-line">
        {keys.map((apiKey) => (
          <KeyRow
            key={apiKey.id}
            apiKey={apiKey}
            onRevoke={() => {
              onNews(null);
              revoke.reset();
              setLeaving(apiKey);
            }}
          />
        ))}
      </ul>
      {leaving && (
        <ConfirmDialog
          title={copy.revokeTitle(leaving.name)}
          action={copy.revokeAction}
          busy={revoke.isPending}
          problem={revoke.error ? errorMessage(revoke.error, copy.failures) : null}
          onConfirm={() => takeBack(leaving)}
          onClose={() => setLeaving(null)}
        >
          {copy.revokeText}
        </ConfirmDialog>
      )}
    </TitledCard>
  );
}

const ICONS = { read: Table2, redeem: ScanLine } as const;

const day = (moment: string) => formatDate(new Date(moment));

/** One key: its name, how it begins, what it may do, and how it was used. */
function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, scope, prefix, store } = apiKey;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 font-semibold">{name}</p>
          <Badge icon={ICONS[scope]}>{copy.scopes[scope]}</Badge>
          {apiKey.is_expired && <Badge tone="careful">{copy.expired}</Badge>}
        </div>
        <p className="font-mono text-sm text-muted">{prefix}…</p>
        <p className="text-sm text-pretty text-muted">
          {copy.created(day(apiKey.created_at), apiKey.created_by)}
          {" · "}
          {apiKey.last_used_at ? copy.used(day(apiKey.last_used_at)) : copy.neverUsed}
        </p>
        <p className="text-sm text-pretty text-muted">
          {apiKey.expires_at ? copy.until(day(apiKey.expires_at)) : copy.endless}
          {store && ` · ${copy.at(store.name)}`}
        </p>
      </div>
      <Button variant="quiet" aria-label={copy.revokeNamed(name)} onClick={onRevoke}>
        <span className="text-coral-ink">{copy.revoke}</span>
      </Button>
    </li>
  );
}
