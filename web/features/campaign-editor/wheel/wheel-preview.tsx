import { Play } from "lucide-react";
import { useMemo, useState } from "react";
import { drawPictures } from "#domain/rules/draw-pictures.ts";
import { type EditorReward, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { Button } from "../../../ui/button.tsx";
import { Wheel } from "../../../ui/wheel/wheel.tsx";
import { createWheelRunner } from "../../../ui/wheel/wheel-runner.ts";
import { editorCopy } from "../editor.copy.ts";
import { type SegmentValues, wheelTotal } from "../editor.schema.ts";

const copy = editorCopy.wheel;

/** Radius of the ring of odds, in a drawing 200 wide, and its width. */
const RADIUS = 97;
const WIDTH = 4.5;

/** A turn for the eyes alone: nothing of it is stored. */
type Turn = { stopAt: number; label: string; isOver: boolean };

/** A segment by its weight; -1 when none has any. */
function draw(segments: readonly SegmentValues[], random: number): number {
  let point = random * wheelTotal(segments);
  return segments.findIndex(({ weight }) => {
    point -= weight;
    return weight > 0 && point < 0;
  });
}

/** A turn by chance; null of a wheel on which nothing has any weight. */
function begin(segments: readonly SegmentValues[]): Turn | null {
  const segment = segments[draw(segments, Math.random())];
  if (!segment) return null;
  const stopAt = seenOf(segments).findIndex(({ key }) => key === segment.key);
  return { stopAt, label: segment.label, isOver: false };
}

type WheelPreviewProps = {
  mark: string;
  segments: readonly SegmentValues[];
  /** Prizes that a segment may award. */
  rewards: readonly Pick<EditorReward, "id" | "picture" | "active" | "is_archived">[];
  /** It turns once by itself when it is first shown. */
  turnsAtOnce?: boolean;
};

/** The wheel as customers will see it, with the true odds around it; it can be spun to try. */
export function WheelPreview({ turnsAtOnce = false, ...props }: WheelPreviewProps) {
  const { mark, rewards } = props;
  const segments = offeredOf(props);
  const drawn = useDrawn({ segments, rewards });
  const [turn, setTurn] = useState<Turn | null>(() => (turnsAtOnce ? begin(segments) : null));
  const isTurning = turn !== null && !turn.isOver;
  const canTurn = segments.some(({ weight }) => weight > 0);
  const spin = () => {
    if (!isTurning) setTurn(begin(segments));
  };
  return (
    <div className="grid justify-items-center gap-2">
      <div
        className="relative w-full max-w-72 overflow-x-clip p-5 lg:max-w-none"
        role="img"
        aria-label={copy.picture}
      >
        <OddsRing segments={segments} />
        <div className="light">
          <Wheel
            // A wheel with other segments is at rest again.
            key={drawn.length}
            mark={mark}
            segments={drawn}
            createRunner={createWheelRunner}
            isTurning={isTurning}
            stopAt={turn?.stopAt ?? null}
            onStopped={() => setTurn((before) => before && { ...before, isOver: true })}
            className="w-full"
          />
        </div>
      </div>
      <Button variant="secondary" busy={isTurning} waiting={!canTurn} onClick={spin}>
        {!isTurning && <Play aria-hidden="true" className="size-5" />}
        {isTurning ? copy.turning : copy.try}
      </Button>
      <p role="status" className="text-center text-sm text-pretty text-muted">
        {!canTurn && copy.noWeight}
        {canTurn && turn?.isOver && copy.stopped(turn.label)}
      </p>
    </div>
  );
}

/** The segments, those of prizes that were stopped or archived without weight: nobody can win them. */
function offeredOf({ segments, rewards }: Pick<WheelPreviewProps, "segments" | "rewards">) {
  const stopped = rewards.filter(({ active, is_archived }) => is_archived || !active);
  return segments.map((segment) =>
    stopped.some(({ id }) => id === segment.rewardId) ? { ...segment, weight: 0 } : segment,
  );
}

/**
 * Segments that customers will see: those that a spin can end on, all of them while there is none.
 */
function seenOf(segments: readonly SegmentValues[]): readonly SegmentValues[] {
  const some = segments.filter(({ weight }) => weight > 0);
  return some.length > 0 ? some : segments;
}

/** The same list as long as it looks the same: a slider turns the ring without drawing the wheel anew. */
function useDrawn({ segments, rewards }: Pick<WheelPreviewProps, "segments" | "rewards">) {
  const seen = seenOf(segments).map(({ key, label, color, rewardId }) => ({
    id: key,
    label,
    color,
    picture: rewards.find(({ id }) => id === rewardId)?.picture ?? null,
  }));
  const look = JSON.stringify(seen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` represents the list.
  return useMemo(() => drawPictures(seen), [look]);
}

/** The weights as a ring that closes at 100. */
function OddsRing({ segments }: { segments: readonly SegmentValues[] }) {
  let sum = 0;
  const arcs = segments.map(({ key, color, weight }) => {
    const from = Math.min(sum, WHEEL_TOTAL);
    sum += weight;
    return { key, color, from, length: Math.min(sum, WHEEL_TOTAL) - from };
  });
  return (
    <svg viewBox="-100 -100 200 200" aria-hidden="true" className="absolute inset-0 size-full">
      <circle r={RADIUS} fill="none" strokeWidth={WIDTH} className="stroke-line" />
      {arcs.map(({ key, color, from, length }) => (
        <circle
          key={key}
          r={RADIUS}
          fill="none"
          stroke={color}
          strokeWidth={WIDTH}
          pathLength={WHEEL_TOTAL}
          strokeDasharray={`${length} ${WHEEL_TOTAL - length}`}
          strokeDashoffset={-from}
          transform="rotate(-90)"
        />
      ))}
    </svg>
  );
}
