import { lazyRouteComponent } from "@tanstack/react-router";
import { Download, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import type { Settings } from "#domain/schemas/settings.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { saveFailure } from "./failures.ts";
import { settingsCopy } from "./settings.copy.ts";
import { useTakeAlong } from "./use-take-along.ts";

const copy = settingsCopy.data;

/** Opened once in the life of an organisation, if ever. */
const EndDialog = lazyRouteComponent(() => import("./end-dialog.tsx"), "EndDialog");

type DataCardProps = Pick<Settings, "organization" | "subscription">;

/** For the owner: everything of the organisation to take along, and its end. */
export function DataCard({ organization, subscription }: DataCardProps) {
  const { id, name } = organization;
  const [isAsked, setIsAsked] = useState(false);
  const take = useTakeAlong(id);
  const isEnding = Boolean(useWorkspace()?.organization?.erase_at);
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <div className="grid gap-2">
        <Button variant="secondary" busy={take.isPending} onClick={() => take.mutate()}>
          {!take.isPending && <Download aria-hidden="true" className="size-5" />}
          {copy.export}
        </Button>
        <p className="text-sm text-pretty text-muted">{copy.exportHint}</p>
        {take.isSuccess && <Notice tone="done">{copy.exported}</Notice>}
        {take.isError && (
          <Alert>
            {saveFailure(take.error, {
              export_busy: copy.exportBusy,
              network: copy.exportFailed,
            })}
          </Alert>
        )}
      </div>
      <div className="grid gap-2 border-t border-line pt-5">
        {isEnding ? (
          <p className="text-pretty text-muted">{copy.ending}</p>
        ) : (
          <>
            <Button variant="secondary" onClick={() => setIsAsked(true)}>
              <Trash2 aria-hidden="true" className="size-5 text-coral-ink" />
              <span className="text-coral-ink">{copy.end}</span>
            </Button>
            <p className="text-sm text-pretty text-muted">{copy.endHint}</p>
          </>
        )}
      </div>
      {isAsked && (
        <Suspense>
          <EndDialog
            orgId={id}
            name={name}
            customerId={subscription?.customer_id ?? null}
            onClose={() => setIsAsked(false)}
          />
        </Suspense>
      )}
    </TitledCard>
  );
}
