import { Plus, Undo2 } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { SEGMENTS_MAX, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { newId } from "#domain/text/new-id.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { useBroughtIntoView } from "../../../ui/use-brought-into-view.ts";
import { useUnsavedInput } from "../../../ui/use-unsaved-input.tsx";
import { WayToPlans } from "../../../ui/way-to-plans.tsx";
import { storeMark } from "../../../ui/wheel/store-mark.ts";
import { LOSING_COLOR, nextColor } from "../colors.ts";
import { editorCopy } from "../editor.copy.ts";
import { wheelTotal } from "../editor.schema.ts";
import { withShare } from "../propose-segment.ts";
import { useWheelEdits } from "../use-wheel-edits.ts";
import { WheelFacts } from "../wheel-facts.tsx";
import { WheelPreview } from "../wheel-preview.tsx";
import { WheelTotal } from "../wheel-total.tsx";
import { readCents } from "./read-cents.ts";
import { starterCopy as copy } from "./starter.copy.ts";
import { startFailure, useStartCampaign } from "./starter.mutations.ts";
import { rewardsOf, type StarterValues } from "./starter.schema.ts";
import { type Mistakes, StarterRow } from "./starter-row.tsx";

type StarterFormProps = {
  store: { id: string; name: string };
  /** Name of the campaign that is made. */
  name: string;
  isActive: boolean;
  /** The wheel to begin with: a proposal, or what was made of it on an earlier visit. */
  initial: StarterValues;
  submit: string;
  /** Told of every change, for whoever keeps it. */
  onEdit: (values: StarterValues) => void;
  onStarted: (campaignId: string) => void;
  /** What stands beside the button. */
  children?: ReactNode;
};

/** What is wrong, a segment each. */
function mistakesOf({ segments, prizes }: StarterValues): Mistakes[] {
  return segments.map(({ label, rewardId }) => {
    const prize = prizes.find(({ id }) => id === rewardId);
    return {
      label: label.trim() === "" ? copy.rules.label : undefined,
      cost: prize && readCents(prize.cost) === null ? copy.rules.cost : undefined,
    };
  });
}

/** A first wheel, seen turning, with its prizes; one button makes the campaign of it. What was typed stays when that fails. */
export function StarterForm(props: StarterFormProps) {
  const { store, name, isActive, initial, submit, onEdit, onStarted, children } = props;
  const [values, setValues] = useState(initial);
  const [isSent, setIsSent] = useState(false);
  const [id] = useState(newId);
  const list = useRef<HTMLOListElement>(null);
  const start = useStartCampaign();
  const { segments, prizes } = values;
  const edits = useWheelEdits(segments, (next) =>
    setValues((before) => ({ ...before, segments: next.map((one) => ({ ...one, id: null })) })),
  );
  const isUnsaved = values !== initial && !start.isSuccess;
  const found = useUnsavedInput({
    isUnsaved,
    saved: () => initial,
    typed: () => values,
    put: setValues,
    drop: () => setValues(initial),
  });
  useEffect(() => onEdit(values), [onEdit, values]);

  const sum = wheelTotal(segments);
  const hasPrize = segments.some(({ rewardId, weight }) => rewardId !== "" && weight > 0);
  const mistakes = mistakesOf(values);
  const isWrong = mistakes.some(({ label, cost }) => label ?? cost) || sum !== WHEEL_TOTAL;
  const refused = useBroughtIntoView<HTMLDivElement>(start.isError);

  const add = (isPrize: boolean) => {
    const prizeId = isPrize ? `prize-${newId()}` : "";
    if (isPrize) {
      setValues((before) => ({
        ...before,
        prizes: [...before.prizes, { id: prizeId, type: "gift", cost: "" }],
      }));
    }
    edits.replace(
      withShare(segments, {
        key: `new-${newId()}`,
        id: null,
        rewardId: prizeId,
        label: isPrize ? "" : copy.losing,
        color: isPrize ? nextColor(segments.map(({ color }) => color)) : LOSING_COLOR,
        weight: 0,
      }),
    );
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    // A second click does nothing until the next page is there.
    if (start.isPending || start.isSuccess) return;
    setIsSent(true);
    if (isWrong || !hasPrize) {
      start.reset();
      // After the mistakes are rendered.
      requestAnimationFrame(() => {
        const wrong = list.current?.querySelector<HTMLElement>("[aria-invalid=true]");
        (wrong ?? document.querySelector<HTMLElement>("[data-total]"))?.focus();
      });
      return;
    }
    const wanted = { id, storeId: store.id, name, slugSource: store.name, isActive, wheel: values };
    start.mutate(wanted, { onSuccess: onStarted });
  };

  return (
    <form noValidate className="grid gap-6" onSubmit={send}>
      {found}
      <div className="grid gap-x-8 gap-y-5 rounded-card bg-surface p-4 shadow-card sm:p-6 lg:grid-cols-[16rem_1fr] lg:items-start">
        <div className="lg:sticky lg:top-6">
          <WheelPreview mark={storeMark(store.name)} segments={segments} turnsAtOnce />
        </div>
        <div className="grid min-w-0 gap-4">
          {sum === WHEEL_TOTAL && <WheelFacts segments={segments} rewards={rewardsOf(values)} />}
          {sum !== WHEEL_TOTAL && <WheelTotal sum={sum} onBalance={edits.balance} />}
          <p className="text-sm text-pretty text-muted">{copy.hint}</p>
          <div className="@container">
            <div
              aria-hidden="true"
              className="hidden gap-2.5 pb-1 text-sm font-semibold text-muted @xl:flex"
            >
              <div className="flex flex-[8] justify-between pl-6">
                <span>{copy.columns.label}</span>
                <span>{copy.columns.cost}</span>
              </div>
              <span className="flex-[5]">{copy.columns.odds}</span>
            </div>
            <ol
              ref={list}
              aria-label={copy.list}
              className="border-y border-line *:not-last:border-b *:border-line"
            >
              {segments.map((segment, place) => (
                <StarterRow
                  key={segment.key}
                  place={place}
                  count={segments.length}
                  segment={segment}
                  prize={prizes.find((one) => one.id === segment.rewardId)}
                  mistakes={isSent ? (mistakes[place] ?? {}) : {}}
                  onLabel={(label) => edits.change(place, { label })}
                  onCost={(cost) =>
                    setValues((before) => ({
                      ...before,
                      prizes: before.prizes.map((one) =>
                        one.id === segment.rewardId ? { ...one, cost } : one,
                      ),
                    }))
                  }
                  onType={(weight) => edits.change(place, { weight })}
                  onSlide={(weight) => edits.slide(place, weight)}
                  onSlid={edits.endSlide}
                  onRemove={() => edits.remove(place)}
                />
              ))}
            </ol>
          </div>
          {isSent && !hasPrize && <Alert>{copy.rules.noPrize}</Alert>}
          <div className="flex flex-wrap gap-x-3 gap-y-2">
            <Button
              variant="secondary"
              waiting={segments.length >= SEGMENTS_MAX}
              onClick={() => add(true)}
            >
              <Plus aria-hidden="true" className="size-5" />
              {copy.addPrize}
            </Button>
            <Button
              variant="quiet"
              waiting={segments.length >= SEGMENTS_MAX}
              onClick={() => add(false)}
            >
              <Plus aria-hidden="true" className="size-5" />
              {copy.addLosing}
            </Button>
            <Button variant="quiet" waiting={!edits.undo} onClick={() => edits.undo?.()}>
              <Undo2 aria-hidden="true" className="size-5" />
              {editorCopy.wheel.undo}
            </Button>
          </div>
        </div>
      </div>
      {start.isError && (
        <div ref={refused} tabIndex={-1} className="scroll-mt-24">
          <Alert>
            <p>{startFailure(start.error)}</p>
            <WayToPlans error={start.error} />
          </Alert>
        </div>
      )}
      <div className="sticky bottom-0 z-10 -mx-5 flex flex-row-reverse gap-2 border-t border-line bg-surface px-5 py-3 shadow-card sm:static sm:mx-0 sm:gap-3 sm:border-0 sm:bg-transparent sm:p-0 sm:shadow-none [@media(max-height:30em)]:static">
        <Button
          type="submit"
          size="lg"
          className="max-sm:flex-1 sm:min-w-64"
          busy={start.isPending || start.isSuccess}
        >
          {submit}
        </Button>
        {children}
      </div>
    </form>
  );
}
