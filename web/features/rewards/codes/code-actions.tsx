import { Undo2 } from "lucide-react";
import { useRef } from "react";
import type { CodeItem } from "#domain/schemas/rewards.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { useRedeemCode, useUndoRedemption } from "../rewards.mutations.ts";
import { rewardCodesCopy } from "./reward-codes.copy.ts";

type CodeActionsProps = {
  item: CodeItem;
  /** One of many rows, of which none is the one thing to do. */
  isQuiet?: boolean;
};

/** Copying a code, using it as the till does, and taking that back within ten minutes. */
export function CodeActions({ item, isQuiet = false }: CodeActionsProps) {
  const { code, status, can_undo } = item;
  const redeem = useRedeemCode();
  const undo = useUndoRedemption();
  const canRedeem = useMay().may("codes.redeem");
  const error = undo.error ?? redeem.error;
  // The button that was pressed makes room for another: a second press must not undo the first.
  const actions = useRef<HTMLDivElement>(null);
  const onSuccess = () => actions.current?.focus({ preventScroll: true });
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in. */}
      <div
        ref={actions}
        role="group"
        aria-label={rewardCodesCopy.actionsFor(code)}
        tabIndex={-1}
        className={`flex flex-wrap items-center gap-2 outline-none lg:justify-end ${isQuiet ? "min-w-56" : "lg:min-w-60"}`}
      >
        <CopyButton
          text={code}
          label={rewardCodesCopy.copy}
          subject={code}
          copied={rewardCodesCopy.copied}
          variant={isQuiet ? "quiet" : "secondary"}
        />
        {canRedeem && status === "available" && item.verdict === null && (
          <Button
            variant={isQuiet ? "secondary" : "primary"}
            aria-label={rewardCodesCopy.redeemCode(code)}
            busy={redeem.isPending}
            onClick={() => {
              undo.reset();
              redeem.mutate(item, { onSuccess });
            }}
          >
            {rewardCodesCopy.redeem}
          </Button>
        )}
        {canRedeem && can_undo && (
          <Button
            variant="secondary"
            aria-label={rewardCodesCopy.undoCode(code)}
            busy={undo.isPending}
            onClick={() => {
              redeem.reset();
              undo.mutate(item, { onSuccess });
            }}
          >
            <Undo2 aria-hidden="true" className="size-5" />
            {rewardCodesCopy.undo}
          </Button>
        )}
      </div>
      {error && (
        <div className="w-full">
          <Alert>{errorMessage(error, rewardCodesCopy.problems)}</Alert>
        </div>
      )}
    </>
  );
}
