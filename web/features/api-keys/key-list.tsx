import { type ReactNode, useState } from "react";
import type { ApiKey } from "#domain/schemas/api-keys.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { apiKeysCopy as copy } from "./api-keys.copy.ts";
import { useRevokeKey } from "./api-keys.mutations.ts";
import { KeyRow } from "./key-row.tsx";

type KeyListProps = {
  keys: readonly ApiKey[];
  action: ReactNode;
  onNews: (news: string | null) => void;
};

/** The keys that were not taken back, and taking one back. */
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
