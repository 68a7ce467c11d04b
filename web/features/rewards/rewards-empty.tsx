import { Link } from "@tanstack/react-router";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { rewardsCopy } from "./rewards.copy.ts";
import type { RewardsView } from "./rewards.queries.ts";

const copy = rewardsCopy.empty;

/** A list without rewards: none match, none were put away, or there are none yet. */
export function RewardsEmpty({ view, onClear }: { view: RewardsView; onClear: () => void }) {
  const mayCreate = useMay().mayOpen("/rewards/new");
  if (view.search) {
    return (
      <EmptyState title={copy.noMatch}>
        <Button variant="secondary" onClick={onClear}>
          {copy.clear}
        </Button>
      </EmptyState>
    );
  }
  if (view.isArchived) return <EmptyState title={copy.archived} text={copy.archivedText} />;
  return (
    <EmptyState title={copy.title} text={copy.text}>
      {mayCreate && (
        <Link to="/rewards/new" className={buttonClass()}>
          {rewardsCopy.create}
        </Link>
      )}
    </EmptyState>
  );
}
