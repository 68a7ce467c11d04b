import { Plus, Undo2 } from "lucide-react";
import type { Ref } from "react";
import { SEGMENTS_MAX, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { newId } from "#domain/text/new-id.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { storeMark } from "../../../ui/wheel/store-mark.ts";
import { editorCopy } from "../editor.copy.ts";
import { wheelTotal } from "../editor.schema.ts";
import { LOSING_COLOR, nextColor } from "../wheel/colors.ts";
import { withShare } from "../wheel/propose-segment.ts";
import { useWheelEdits } from "../wheel/use-wheel-edits.ts";
import { WheelFacts } from "../wheel/wheel-facts.tsx";
import { WheelPreview } from "../wheel/wheel-preview.tsx";
import { WheelTotal } from "../wheel/wheel-total.tsx";
import { starterCopy as copy } from "./starter.copy.ts";
import { hasPrize, mistakesOf, rewardsOf, type StarterValues } from "./starter.schema.ts";
import { StarterRow } from "./starter-row.tsx";

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
