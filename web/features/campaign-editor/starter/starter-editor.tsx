import { Plus, Trash2, Undo2 } from "lucide-react";
import { type Ref, useId } from "react";
import { LABEL_MAX_LENGTH, SEGMENTS_MAX, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { newId } from "#domain/text/new-id.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { storeMark } from "../../../ui/wheel/store-mark.ts";
import { editorCopy } from "../editor.copy.ts";
import { wheelTotal } from "../editor.schema.ts";
import { ICON_BUTTON, OddsInputs } from "../odds/odds-inputs.tsx";
import { LOSING_COLOR, nextColor } from "../wheel/colors.ts";
import { withShare } from "../wheel/propose-segment.ts";
import { useWheelEdits } from "../wheel/use-wheel-edits.ts";
import { WheelFacts } from "../wheel/wheel-facts.tsx";
import { WheelPreview } from "../wheel/wheel-preview.tsx";
import { WheelTotal } from "../wheel/wheel-total.tsx";
import { starterCopy as copy } from "./starter.copy.ts";
import {
  hasPrize,
  type Mistakes,
  mistakesOf,
  type Prize,
  rewardsOf,
  type StarterValues,
} from "./starter.schema.ts";

type StarterEditorProps = {
  storeName: string;
  values: StarterValues;
  /** Whether what is wrong is said. */
  isJudged: boolean;
  onChange: (change: (before: StarterValues) => StarterValues) => void;
  ref?: Ref<HTMLDivElement>;
};

/** A first wheel, seen turning, beside its prizes: texts, costs and odds. */
export function StarterEditor(props: StarterEditorProps) {
  const { storeName, values, isJudged, onChange, ref } = props;
  const { segments, prizes } = values;
  const edits = useWheelEdits(segments, (next) =>
    onChange((before) => ({ ...before, segments: next.map((one) => ({ ...one, id: null })) })),
  );
  const sum = wheelTotal(segments);
  const mistakes = isJudged ? mistakesOf(values) : [];

  const add = (isPrize: boolean) => {
    const prizeId = isPrize ? `prize-${newId()}` : "";
    if (isPrize) {
      onChange((before) => ({
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
  const price = (prizeId: string, cost: string) =>
    onChange((before) => ({
      ...before,
      prizes: before.prizes.map((one) => (one.id === prizeId ? { ...one, cost } : one)),
    }));

  return (
    <div ref={ref} className="grid gap-x-8 gap-y-5 lg:grid-cols-[16rem_1fr] lg:items-start">
      <div className="lg:sticky lg:top-6">
        <WheelPreview
          mark={storeMark(storeName)}
          segments={segments}
          rewards={rewardsOf(values)}
          turnsAtOnce
        />
      </div>
      <div className="grid min-w-0 gap-4">
        {sum === WHEEL_TOTAL ? (
          <WheelFacts segments={segments} rewards={rewardsOf(values)} />
        ) : (
          <WheelTotal sum={sum} onBalance={edits.balance} />
        )}
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
                mistakes={mistakes[place] ?? {}}
                onLabel={(label) => edits.change(place, { label })}
                onCost={(cost) => price(segment.rewardId, cost)}
                onType={(weight) => edits.change(place, { weight })}
                onSlide={(weight) => edits.slide(place, weight)}
                onSlid={edits.endSlide}
                onRemove={() => edits.remove(place)}
              />
            ))}
          </ol>
        </div>
        {isJudged && !hasPrize(values) && <Alert>{copy.rules.noPrize}</Alert>}
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
  );
}

type StarterRowProps = {
  place: number;
  count: number;
  segment: StarterValues["segments"][number];
  /** None of a segment that loses. */
  prize: Prize | undefined;
  mistakes: Mistakes;
  onLabel: (label: string) => void;
  onCost: (cost: string) => void;
  onType: (weight: number) => void;
  onSlide: (weight: number) => void;
  onSlid: () => void;
  onRemove: () => void;
};

/** One segment of a first wheel: its text, what it costs, its odds. Two lines where it is narrow. */
function StarterRow(props: StarterRowProps) {
  const { place, count, segment, prize, mistakes } = props;
  const { onLabel, onCost, onType, onSlide, onSlid, onRemove } = props;
  const id = useId();
  const { label, color, weight } = segment;
  const name = label.trim() || editorCopy.wheel.unnamed(place + 1);
  const mistake = mistakes.label ?? mistakes.cost;
  const marked = (isWrong: unknown) =>
    isWrong ? { "aria-invalid": true as const, "aria-describedby": `${id}-mistake` } : {};
  return (
    <li className="py-2.5 @xl:py-1.5">
      <fieldset
        aria-label={copy.segment(place + 1)}
        className="grid min-w-0 gap-1.5 @xl:flex @xl:items-center @xl:gap-2.5"
      >
        <div className="flex min-w-0 items-center gap-2 @xl:flex-[8]">
          <span
            aria-hidden="true"
            style={{ backgroundColor: color }}
            className="size-4 shrink-0 rounded-full"
          />
          <TextInput
            aria-label={copy.columns.label}
            {...marked(mistakes.label)}
            value={label}
            maxLength={LABEL_MAX_LENGTH}
            autoComplete="off"
            onChange={(event) => onLabel(event.target.value)}
            className="min-w-0 flex-1 basis-28"
          />
          {prize ? (
            <div className="relative w-22 shrink-0">
              <TextInput
                inputMode="decimal"
                aria-label={copy.cost(name)}
                {...marked(mistakes.cost)}
                value={prize.cost}
                maxLength={12}
                autoComplete="off"
                onFocus={(event) => event.target.select()}
                onChange={(event) => onCost(event.target.value)}
                className="pr-7 text-right tabular-nums"
              />
              <span
                aria-hidden="true"
                className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
              >
                €
              </span>
            </div>
          ) : (
            <span className="w-22 shrink-0 pr-3.5 text-right text-muted">{copy.loses}</span>
          )}
        </div>
        <div className="flex min-w-0 items-center gap-2 pl-6 @xl:flex-[5] @xl:pl-0">
          <OddsInputs
            name={name}
            value={weight}
            onSlide={onSlide}
            onSlid={onSlid}
            onType={onType}
          />
          <button
            type="button"
            aria-label={editorCopy.wheel.remove(name)}
            aria-disabled={count === 1 || undefined}
            onClick={count === 1 ? undefined : onRemove}
            className={ICON_BUTTON}
          >
            <Trash2 aria-hidden="true" className="size-5" />
          </button>
        </div>
      </fieldset>
      {mistake && (
        <p id={`${id}-mistake`} className="pt-1 pl-6 text-sm font-medium text-coral-ink">
          {mistake}
        </p>
      )}
    </li>
  );
}
