import { lazyRouteComponent } from "@tanstack/react-router";
import { Plus, Undo2 } from "lucide-react";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import { type EditorReward, SEGMENTS_MAX, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { Button } from "../../../ui/button.tsx";
import { editorCopy } from "../editor.copy.ts";
import { type SegmentValues, wheelTotal } from "../editor.schema.ts";
import { SegmentRow } from "./segment-row.tsx";
import { useRowDrag } from "./use-row-drag.ts";
import { useWheelEdits } from "./use-wheel-edits.ts";
import { WheelFacts } from "./wheel-facts.tsx";
import { WheelTotal } from "./wheel-total.tsx";

const copy = editorCopy.wheel;

/** Loaded lazily: the picture follows the numbers, which can be edited before it is there. */
const WheelPreview = lazyRouteComponent(() => import("./wheel-preview.tsx"), "WheelPreview");

/** Loaded lazily, since they are folded at first. */
const WheelTranslations = lazyRouteComponent(
  () => import("./wheel-translations.tsx"),
  "WheelTranslations",
);

type WheelEditorProps = {
  mark: string;
  rewards: readonly EditorReward[];
  segments: SegmentValues[];
  /** Mistakes in the text of each segment. */
  mistakes: readonly (string | undefined)[];
  onChange: (segments: SegmentValues[]) => void;
};

/** Target of the focus after the segments are rendered anew. */
type Target = { place: number; part: "label" | "handle" };

/** The wheel at the left, live; beside it what it means, and its segments in their order. */
export function WheelEditor({ mark, rewards, segments, mistakes, onChange }: WheelEditorProps) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const target = useRef<Target | null>(null);
  const [said, setSaid] = useState("");
  const edits = useWheelEdits(segments, onChange);
  const sum = wheelTotal(segments);
  const hasLosing = segments.some(({ rewardId, weight }) => rewardId === "" && weight > 0);

  // Keyboard focus stays with the moved segment.
  useEffect(() => {
    if (target.current === null) return;
    const { place, part } = target.current;
    target.current = null;
    const segment = document.getElementById(`${id}-${place}`);
    segment
      ?.querySelector<HTMLElement>(part === "handle" ? "[aria-haspopup]" : "[data-part=label]")
      ?.focus();
  });

  const nameOf = (place: number) => segments[place]?.label.trim() || copy.unnamed(place + 1);
  const move = (from: number, to: number) => {
    target.current = { place: to, part: "handle" };
    setSaid(copy.moved(nameOf(from), to + 1, segments.length));
    edits.move(from, to);
  };
  const remove = (place: number) => {
    target.current = { place: Math.min(place, segments.length - 2), part: "label" };
    setSaid(copy.removed(nameOf(place)));
    edits.remove(place);
  };
  const add = (reward?: EditorReward) => {
    target.current = { place: segments.length, part: "label" };
    edits.add(reward);
  };
  const { onPointerDown, wasDragged } = useRowDrag(list, move);

  return (
    <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[minmax(15rem,20rem)_1fr] lg:items-start">
      <div className="lg:sticky lg:top-24">
        <Suspense
          fallback={<div className="mx-auto aspect-square w-full max-w-72 lg:max-w-none" />}
        >
          <WheelPreview mark={mark} segments={segments} rewards={rewards} />
        </Suspense>
      </div>
      <div className="grid min-w-0 gap-3">
        {sum === WHEEL_TOTAL && <WheelFacts segments={segments} rewards={rewards} />}
        <WheelTotal sum={sum} onBalance={edits.balance} />
        <div className="@container">
          <div
            aria-hidden="true"
            className="hidden gap-2 pb-1 text-sm font-semibold text-muted @2xl:flex"
          >
            <div className="flex flex-[7] gap-2 pl-23">
              <span className="flex-1">{copy.label}</span>
              <span className="flex-1">{copy.reward}</span>
            </div>
            <span className="flex-[5]">{copy.odds}</span>
          </div>
          <ol
            ref={list}
            aria-label={copy.list}
            className="border-y border-line *:not-last:border-b *:border-line"
          >
            {segments.map((segment, place) => (
              <SegmentRow
                key={segment.key}
                id={`${id}-${place}`}
                place={place}
                count={segments.length}
                segment={segment}
                isLocked={edits.isLocked(segment.key)}
                rewards={rewards}
                hasLosing={hasLosing}
                mistake={mistakes[place]}
                onChange={(values) => edits.change(place, values)}
                onSlide={(weight) => edits.slide(place, weight)}
                onSlid={edits.endSlide}
                onLock={(isLocked) => edits.lock(segment.key, isLocked)}
                onMove={(to) => move(place, to)}
                onRemove={() => remove(place)}
                onPointerDown={(event) => onPointerDown(event, place)}
                wasDragged={wasDragged}
              />
            ))}
          </ol>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            waiting={segments.length >= SEGMENTS_MAX}
            onClick={() => add()}
          >
            <Plus aria-hidden="true" className="size-5" />
            {copy.add}
          </Button>
          <Button
            variant="quiet"
            waiting={!edits.undo}
            onClick={() => {
              setSaid(copy.undone);
              edits.undo?.();
            }}
          >
            <Undo2 aria-hidden="true" className="size-5" />
            {copy.undo}
          </Button>
        </div>
        <Suspense fallback={null}>
          <WheelTranslations segments={segments} rewards={rewards} onChange={edits.translate} />
        </Suspense>
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
    ({ id, is_archived, home }) =>
      home === null && !is_archived && segments.every(({ rewardId }) => rewardId !== id),
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
            <span className="wrap-anywhere">{reward.name}</span>
          </Button>
        ))}
      </div>
    </div>
  );
}
