import { lazyRouteComponent } from "@tanstack/react-router";
import { Plus, Scale } from "lucide-react";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import { type EditorReward, SEGMENTS_MAX, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { formatNumber } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { balance } from "./balance.ts";
import { LOSING_COLOR, nextColor } from "./colors.ts";
import { editorCopy } from "./editor.copy.ts";
import { type SegmentValues, wheelTotal } from "./editor.schema.ts";
import { SegmentFields } from "./segment-fields.tsx";

const copy = editorCopy.wheel;

/** The picture follows its numbers: nobody waits for it to begin with them. */
const WheelPreview = lazyRouteComponent(() => import("./wheel-preview.tsx"), "WheelPreview");

type WheelEditorProps = {
  mark: string;
  rewards: readonly EditorReward[];
  segments: SegmentValues[];
  /** What is wrong with the text of each segment. */
  mistakes: readonly (string | undefined)[];
  onChange: (segments: SegmentValues[]) => void;
};

/** Target of the focus after the segments are rendered anew. */
type Target = { place: number; part: "label" | "up" | "down" };

/** The wheel at the left, live; its segments at the right, in their order. */
export function WheelEditor({ mark, rewards, segments, mistakes, onChange }: WheelEditorProps) {
  const id = useId();
  const target = useRef<Target | null>(null);
  const serial = useRef(0);
  const [said, setSaid] = useState("");
  const sum = wheelTotal(segments);

  // Keyboard focus stays with the moved segment.
  useEffect(() => {
    if (target.current === null) return;
    const { place, part } = target.current;
    target.current = null;
    const segment = document.getElementById(`${id}-${place}`);
    segment?.querySelector<HTMLElement>(`[data-part=${part}]`)?.focus();
  });

  const nameOf = (place: number) => segments[place]?.label.trim() || copy.unnamed(place + 1);
  const change = (place: number, values: Partial<SegmentValues>) =>
    onChange(segments.map((one, index) => (index === place ? { ...one, ...values } : one)));
  const move = (place: number, step: 1 | -1) => {
    const [here, there] = [segments[place], segments[place + step]];
    if (!here || !there) return;
    target.current = { place: place + step, part: step > 0 ? "down" : "up" };
    setSaid(copy.moved(nameOf(place), place + step + 1, segments.length));
    onChange(
      segments.map((one, index) => (index === place ? there : index === place + step ? here : one)),
    );
  };
  const remove = (place: number) => {
    target.current = { place: Math.min(place, segments.length - 2), part: "label" };
    setSaid(copy.removed(nameOf(place)));
    onChange(segments.filter((_, index) => index !== place));
  };
  const add = (reward?: EditorReward) => {
    serial.current += 1;
    target.current = { place: segments.length, part: "label" };
    const added: SegmentValues = {
      key: `new-${serial.current}`,
      id: null,
      rewardId: reward?.id ?? "",
      label: reward?.name.slice(0, 60) ?? "",
      color: reward ? nextColor(segments.map(({ color }) => color)) : LOSING_COLOR,
      weight: Math.max(0, WHEEL_TOTAL - sum),
    };
    onChange([...segments, added]);
  };
  const spread = () => {
    const weights = balance(segments.map(({ weight }) => weight));
    onChange(segments.map((one, place) => ({ ...one, weight: weights[place] ?? one.weight })));
  };

  return (
    <div className="flex flex-col gap-x-8 gap-y-6 lg:grid lg:grid-cols-[minmax(16rem,22rem)_1fr] lg:items-start">
      {/* On a phone the total stays in sight while the segments scroll past; beside them, the picture stays with it. */}
      <div className="contents lg:sticky lg:top-24 lg:grid lg:gap-4">
        <Suspense fallback={<div className="aspect-square w-full max-w-88 justify-self-center" />}>
          <WheelPreview key={segments.length} mark={mark} segments={segments} />
        </Suspense>
        <div className="sticky top-2 z-10 rounded-field shadow-card lg:static lg:shadow-none">
          <WheelTotal sum={sum} onBalance={spread} />
        </div>
      </div>
      <div className="grid min-w-0 gap-4">
        <ol aria-label={copy.list} className="grid gap-3">
          {segments.map((segment, place) => (
            <SegmentFields
              key={segment.key}
              id={`${id}-${place}`}
              place={place}
              count={segments.length}
              segment={segment}
              rewards={rewards}
              mistake={mistakes[place]}
              onChange={(values) => change(place, values)}
              onMove={(step) => move(place, step)}
              onRemove={() => remove(place)}
            />
          ))}
        </ol>
        <Button
          variant="secondary"
          waiting={segments.length >= SEGMENTS_MAX}
          onClick={() => add()}
          className="justify-self-start"
        >
          <Plus aria-hidden="true" className="size-5" />
          {copy.add}
        </Button>
        <MissingRewards rewards={rewards} segments={segments} onAdd={add} />
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
    </div>
  );
}

type MissingRewardsProps = {
  rewards: readonly EditorReward[];
  segments: readonly SegmentValues[];
  onAdd: (reward: EditorReward) => void;
};

/** Rewards of the campaign that no segment wins, each a click away from the wheel. */
function MissingRewards({ rewards, segments, onAdd }: MissingRewardsProps) {
  const missing = rewards.filter(
    ({ id, is_archived }) => !is_archived && segments.every(({ rewardId }) => rewardId !== id),
  );
  if (missing.length === 0) return null;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted">{copy.missing}</p>
      <div className="flex flex-wrap gap-2">
        {missing.map((reward) => (
          <Button
            key={reward.id}
            variant="secondary"
            aria-label={copy.addReward(reward.name)}
            onClick={() => onAdd(reward)}
          >
            <Plus aria-hidden="true" className="size-5 shrink-0" />
            <span className="break-words">{reward.name}</span>
          </Button>
        ))}
      </div>
    </div>
  );
}

/** The sum of the weights, red unless it is exactly 100, with the way to make it so. */
function WheelTotal({ sum, onBalance }: { sum: number; onBalance: () => void }) {
  const isComplete = sum === WHEEL_TOTAL;
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-field px-4 py-3 ${isComplete ? "bg-mint-soft text-mint-ink" : "bg-coral-soft text-coral-ink"}`}
    >
      <div role="status" data-total="" tabIndex={-1} className="min-w-0 flex-1 basis-32">
        <p className="font-display text-xl font-bold tabular-nums">
          {copy.total(formatNumber(sum))}
        </p>
        <p className="text-sm font-medium">
          {isComplete ? copy.complete : editorCopy.rules.total(formatNumber(sum))}
        </p>
      </div>
      <Button variant="secondary" waiting={isComplete} onClick={onBalance}>
        <Scale aria-hidden="true" className="size-5" />
        {copy.balance}
      </Button>
    </div>
  );
}
