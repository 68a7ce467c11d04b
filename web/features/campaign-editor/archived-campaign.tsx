import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { editorCopy } from "./editor.copy.ts";
import { useRestoreCampaign } from "./editor.mutations.ts";

const copy = editorCopy.archived;

/** A campaign that was put away changes no more until it is taken back. */
export function ArchivedCampaign({ id, onRestored }: { id: string; onRestored: () => void }) {
  const restore = useRestoreCampaign(id);
  return (
    <EmptyState title={copy.title} text={copy.text}>
      {restore.isError && <Alert>{editorCopy.failures.restore}</Alert>}
      <Button
        busy={restore.isPending}
        onClick={() => restore.mutate(undefined, { onSuccess: onRestored })}
      >
        {copy.restore}
      </Button>
    </EmptyState>
  );
}
