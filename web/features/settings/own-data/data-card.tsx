import { useMutation } from "@tanstack/react-query";
import { lazyRouteComponent } from "@tanstack/react-router";
import { Download, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import type { Settings } from "#domain/schemas/settings.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, functionError, NETWORK } from "../../../lib/app-error.ts";
import { download } from "../../../lib/download.ts";
import { formatFileDay } from "../../../lib/format.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { saveFailure } from "../failures.ts";
import { settingsCopy } from "../settings.copy.ts";

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

/** Years of data take their time; without a timeout, a lost connection would never be reported. */
const TIMEOUT_MS = 15 * 60_000;

/** Downloads everything of an organisation as one file. */
function useTakeAlong(orgId: string) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async () => {
      const { data, error } = await supabase.functions.invoke<Blob>("export-organization", {
        body: { org_id: orgId },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (error) throw await functionError(error);
      if (data === null) throw new AppError(NETWORK);
      const name = settingsCopy.data.file(formatFileDay(new Date()));
      download(new Blob([data], { type: "application/zip" }), name);
    },
  });
}
