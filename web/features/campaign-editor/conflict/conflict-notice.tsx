import { useQuery } from "@tanstack/react-query";
import type { CampaignEditor } from "#domain/schemas/campaigns.ts";
import { useApp } from "../../../lib/app-context.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { editorCopy } from "../editor.copy.ts";
import { campaignEditorQuery } from "../editor.queries.ts";
import { changesBetween } from "./changes.ts";

const copy = editorCopy.conflict;

type ConflictNoticeProps = {
  /** Version that the form began with. */
  base: CampaignEditor;
  onReload: () => void;
  /** Saves what was typed over the other user's version, which was shown. */
  onKeep: (latest: CampaignEditor) => void;
};

/** Another user saved meanwhile: says so, shows what they changed, and lets choose. */
export function ConflictNotice({ base, onReload, onKeep }: ConflictNoticeProps) {
  const { supabase } = useApp();
  // Beside the form's own copy, which stays what it is.
  const latest = useQuery(campaignEditorQuery(supabase, base.campaign.id, "latest"));
  const theirs = latest.data;
  return (
    <Alert>
      <div className="grid gap-3">
        <p>{copy.text}</p>
        {latest.isPending && <p className="font-normal">{copy.loading}</p>}
        {latest.isError && (
          <div className="grid justify-items-start gap-3">
            <p className="font-normal">{copy.failed}</p>
            <Button variant="secondary" busy={latest.isFetching} onClick={() => latest.refetch()}>
              {copy.retry}
            </Button>
          </div>
        )}
        {theirs === null && <p className="font-normal">{copy.gone}</p>}
        {theirs && <Changes changes={changesBetween(base, theirs)} />}
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onClick={onReload}>
            {copy.reload}
          </Button>
          {theirs && (
            <Button variant="secondary" onClick={() => onKeep(theirs)}>
              {copy.keep}
            </Button>
          )}
        </div>
      </div>
    </Alert>
  );
}

function Changes({ changes }: { changes: readonly string[] }) {
  if (changes.length === 0) return <p className="font-normal">{copy.nothing}</p>;
  return (
    <div className="font-normal">
      <p>{copy.changes}</p>
      <ul className="list-disc pl-5">
        {changes.map((change) => (
          <li key={change} className="wrap-anywhere">
            {change}
          </li>
        ))}
      </ul>
    </div>
  );
}
