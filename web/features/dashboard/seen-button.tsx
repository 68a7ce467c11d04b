import { Check } from "lucide-react";
import { errorMessage } from "../../lib/app-error.ts";
import { useMay } from "../../lib/use-may.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { dashboardCopy } from "./dashboard.copy.ts";
import { useMarkSeen } from "./dashboard.mutations.ts";

const copy = dashboardCopy.next.badReview;

/** For whoever looks after customers: the bad reviews up to an instant were read, and leave the list. */
export function SeenButton({ until }: { until: string }) {
  const workspace = useWorkspace();
  const mark = useMarkSeen(workspace?.organization?.id ?? "");
  const { may } = useMay();
  if (!may("customers.write")) return null;
  return (
    <>
      <Button variant="quiet" busy={mark.isPending} onClick={() => mark.mutate(until)}>
        {!mark.isPending && <Check aria-hidden="true" className="size-5" />}
        {copy.seen}
      </Button>
      {mark.isError && (
        <div className="basis-full">
          <Alert>{errorMessage(mark.error, { forbidden: copy.seenFailed })}</Alert>
        </div>
      )}
    </>
  );
}
