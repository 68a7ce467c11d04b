import type { CheckAction, CheckGroup } from "#domain/schemas/checks.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { checksCopy as copy } from "./checks.copy.ts";
import { type Outcome, useDecide, useMayDecide } from "./checks.queries.ts";

/** Result of a decision, in words. */
export function DecisionNotice({ outcome, reason }: { outcome: Outcome; reason?: string }) {
  const { decision, result } = outcome;
  const { changed, left } = result;
  const isOfPrizes = decision.action !== "clear" && decision.action !== "reopen";
  const isNothing = isOfPrizes && changed === 0;
  return (
    <Notice tone={left > 0 || isNothing ? "info" : "done"}>
      {reason && <p className="font-normal">{reason}</p>}
      {!isNothing && <p>{copy.done[decision.action](changed)}</p>}
      {isNothing && left === 0 && <p>{copy.nothing}</p>}
      {left > 0 && <p className="font-normal">{copy.left(left)}</p>}
    </Notice>
  );
}

/** Action that undoes another one, for a group that left the list with it. */
function undoOf({ decision, result }: Outcome): CheckAction | null {
  if (decision.action === "clear") return "reopen";
  return decision.action === "cancel" && result.changed > 0 ? "release" : null;
}

type DecidedGroupProps = {
  group: CheckGroup;
  outcome: Outcome;
  onDecided: (outcome: Outcome) => void;
};

/** The place of a group that a decision took off the list: what it came to, and the way back. */
export function DecidedGroup({ group, outcome, onDecided }: DecidedGroupProps) {
  const decide = useDecide(onDecided);
  const mayDecide = useMayDecide();
  const undo = undoOf(outcome);
  return (
    <li className="grid gap-3 border-line max-sm:border-t max-sm:pt-5 sm:rounded-field sm:border sm:p-4">
      <DecisionNotice outcome={outcome} reason={copy.reason(group)} />
      {decide.error && <Alert>{errorMessage(decide.error, { "22023": copy.failed })}</Alert>}
      {undo && mayDecide(undo) && (
        <div className="flex max-sm:*:grow">
          <Button
            variant="secondary"
            busy={decide.isPending}
            onClick={() => decide.mutate({ id: group.id, action: undo })}
          >
            {copy.actions[undo]}
          </Button>
        </div>
      )}
    </li>
  );
}
