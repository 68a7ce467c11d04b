import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { CustomerDetail } from "#domain/schemas/customers.ts";
import type { PointsReward } from "#domain/schemas/points.ts";
import { newId } from "#domain/text/new-id.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { deviceMemory } from "../../../lib/device-memory.ts";
import { chosenStore, STORE_KEY } from "../../../lib/store-choice.ts";
import { workspaceQuery } from "../../../lib/workspace.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { NamedOptions } from "../../../ui/forms/named-options.tsx";
import { SelectField } from "../../../ui/forms/select-field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { useReturnPoints, useSpendPoints } from "../customers.mutations.ts";
import { pointsChoicesQuery } from "../customers.queries.ts";
import { customerDetailCopy } from "./customer-detail.copy.ts";

const copy = customerDetailCopy.spend;

type SpendDialogProps = { customer: CustomerDetail; onClose: () => void };

/** Hands out a reward for the points of a customer who is there without the phone that won them. */
export function SpendDialog({ customer, onClose }: SpendDialogProps) {
  const { supabase } = useApp();
  const choices = useQuery(pointsChoicesQuery(supabase, customer.id));
  const stores = useQuery(workspaceQuery(supabase)).data?.stores ?? [];
  const [storeId, setStoreId] = useState<string>();
  const [rewardId, setRewardId] = useState<string>();
  const [isAsked, setIsAsked] = useState(false);
  const spend = useSpendPoints(customer.id);
  const back = useReturnPoints();
  const request = useRef({ key: "", id: "" });
  const busy = spend.isPending || back.isPending;
  const store = chosenStore(stores, storeId ?? deviceMemory.read(STORE_KEY));
  const reward = choices.data?.rewards.find(({ id }) => id === rewardId);
  const answer = spend.data;
  const spendId = answer?.spend_id;

  function give(): void {
    setIsAsked(true);
    if (busy || !reward || !store) return;
    // The same reward again is the same request: a lost answer spends nothing twice.
    const key = `${reward.id} ${reward.cost} ${store.id}`;
    if (request.current.key !== key) request.current = { key, id: newId() };
    spend.mutate(
      { requestId: request.current.id, reward, storeId: store.id },
      {
        onSuccess: () => {
          request.current = { key: "", id: "" };
        },
      },
    );
  }

  return (
    <Dialog
      title={copy.title(customer.name)}
      width="w-120"
      locked={busy}
      onSubmit={(event) => {
        event.preventDefault();
        give();
      }}
      onClose={onClose}
    >
      {choices.data && (
        <p className="font-semibold tabular-nums" aria-live="polite">
          {copy.balance(choices.data.balance)}
        </p>
      )}
      {back.isSuccess ? (
        <Done onClose={onClose}>{copy.undone}</Done>
      ) : spendId ? (
        <Done
          onClose={onClose}
          waiting={busy}
          more={
            <Button
              type="button"
              variant="secondary"
              busy={back.isPending}
              onClick={() => back.mutate(spendId)}
            >
              {copy.undo}
            </Button>
          }
        >
          {copy.done(answer.reward ?? "")}
        </Done>
      ) : (
        <>
          <p className="text-pretty text-muted">{copy.text}</p>
          {choices.isError && !choices.data && (
            <LoadProblem
              text={copy.loadFailed}
              isRetrying={choices.isFetching}
              onRetry={() => choices.refetch()}
            />
          )}
          {choices.data && (
            <RewardChoice
              rewards={choices.data.rewards}
              balance={choices.data.balance}
              current={rewardId}
              onChange={setRewardId}
            />
          )}
          {stores.length > 1 && (
            <SelectField label={copy.store} value={store?.id} onChange={setStoreId}>
              <NamedOptions of={stores} />
            </SelectField>
          )}
          {isAsked && !reward && <Alert>{copy.required}</Alert>}
          {isAsked && !store && <Alert>{copy.noStore}</Alert>}
          {answer && answer.outcome !== "spent" && <Alert>{copy.refusals[answer.outcome]}</Alert>}
          {spend.isError && (
            <Alert>
              {errorMessage(spend.error, { forbidden: copy.forbidden, unknown: copy.failed })}
            </Alert>
          )}
          <ButtonRow>
            <Button type="button" variant="secondary" waiting={busy} onClick={onClose}>
              {copy.close}
            </Button>
            {choices.data && choices.data.rewards.length > 0 && (
              <Button type="submit" busy={spend.isPending}>
                {copy.give}
              </Button>
            )}
          </ButtonRow>
        </>
      )}
      {back.isError && <Alert>{errorMessage(back.error, { unknown: copy.undoFailed })}</Alert>}
    </Dialog>
  );
}

type DoneProps = {
  children: ReactNode;
  more?: ReactNode;
  waiting?: boolean;
  onClose: () => void;
};

/** Outcome of the dialog, and the way out. */
function Done({ children, more, waiting = false, onClose }: DoneProps) {
  const actions = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => {
    actions.current?.querySelector<HTMLButtonElement>("button:last-child")?.focus();
  }, []);
  return (
    <>
      <Notice tone="done">{children}</Notice>
      <ButtonRow ref={actions}>
        {more}
        <Button type="button" waiting={waiting} onClick={onClose}>
          {copy.close}
        </Button>
      </ButtonRow>
    </>
  );
}

type RewardChoiceProps = {
  rewards: readonly PointsReward[];
  balance: number;
  current: string | undefined;
  onChange: (id: string) => void;
};

/** The catalogue; what cannot be had says why. */
function RewardChoice({ rewards, balance, current, onChange }: RewardChoiceProps) {
  const group = useId();
  if (rewards.length === 0) return <p className="text-pretty">{copy.none}</p>;
  return (
    <fieldset className="grid max-h-80 gap-2 overflow-y-auto p-1">
      <legend className="mb-2 font-semibold">{copy.reward}</legend>
      {rewards.map(({ id, name, cost, sold_out }) => {
        const obstacle = sold_out
          ? copy.soldOut
          : cost > balance
            ? copy.missing(cost - balance)
            : null;
        return (
          <label
            key={id}
            className="flex min-h-12 flex-wrap items-center gap-x-3 rounded-field border-[1.5px] border-field bg-surface px-4 py-2 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet has-enabled:cursor-pointer has-disabled:border-line has-disabled:text-muted"
          >
            <input
              type="radio"
              name={group}
              value={id}
              checked={id === current}
              disabled={obstacle !== null}
              onChange={() => onChange(id)}
              className="size-5 shrink-0"
            />
            <span className="min-w-0 flex-1 basis-24 font-semibold wrap-anywhere">{name}</span>
            <span className="ml-auto text-right text-sm tabular-nums">
              {copy.cost(cost)}
              {obstacle && <span className="block">{obstacle}</span>}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
