import { useEffect, useRef } from "react";
import type { PointsReward } from "#domain/schemas/points.ts";
import { Action } from "../parts/action.tsx";
import { Notice } from "../parts/notice.tsx";
import { pointsCopy as copy } from "./points.copy.ts";

type RewardRowProps = {
  reward: PointsReward;
  balance: number;
  /** Whether it was chosen, and waits for a yes. */
  isAsking: boolean;
  isBusy: boolean;
  /** Why it was not exchanged. */
  refusal: string | null;
  onAsk: () => void;
  onCancel: () => void;
  onConfirm: () => void;
};

/** Reward for points: a button and a confirmation where the balance suffices, else the points that are missing. */
export function RewardRow({
  reward: { name, cost, sold_out },
  balance,
  isAsking,
  isBusy,
  refusal,
  onAsk,
  onCancel,
  onConfirm,
}: RewardRowProps) {
  const question = useRef<HTMLParagraphElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking) question.current?.focus();
    else if (wasAsking.current) trigger.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);

  const problem = refusal !== null && <Notice look="problem" title={refusal} />;
  const isWithin = cost <= balance && !sold_out;
  return (
    <li className="grid gap-3 rounded-field bg-surface p-3 ring-1 ring-line ring-inset">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="grow basis-32 leading-snug">
          <span className="block font-bold">{name}</span>
          <span className="block text-base text-muted">{copy.balance(cost)}</span>
        </p>
        {isWithin && !isAsking && (
          <button
            ref={trigger}
            type="button"
            aria-label={copy.exchangeFor(name)}
            onClick={onAsk}
            className="min-h-12 cursor-pointer rounded-field bg-violet px-4 text-lg font-bold text-on-violet hover:bg-violet-strong"
          >
            {copy.exchange}
          </button>
        )}
        {!isWithin && (
          <p className="text-base font-bold text-muted">
            {sold_out ? copy.soldOut : copy.missing(cost - balance)}
          </p>
        )}
      </div>
      {isAsking ? (
        <div className="grid gap-3">
          <p ref={question} tabIndex={-1} className="font-bold outline-none">
            {copy.ask(cost, name)}
          </p>
          <p className="text-base">{copy.consequence}</p>
          {problem}
          <Action isBusy={isBusy} onClick={onConfirm}>
            {isBusy ? copy.sending : copy.confirm}
          </Action>
          <Action look="secondary" onClick={onCancel}>
            {copy.cancel}
          </Action>
        </div>
      ) : (
        problem
      )}
    </li>
  );
}
