import { Play } from "lucide-react";
import { useState } from "react";
import { WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { Button } from "../../ui/button.tsx";
import { Wheel } from "../../ui/wheel/wheel.tsx";
import { createWheelRunner } from "../../ui/wheel/wheel-runner.ts";
import { editorCopy } from "./editor.copy.ts";
import type { SegmentValues } from "./editor.schema.ts";

const copy = editorCopy.wheel;

/** Radius of the ring of odds, in a drawing 200 wide, and its width. */
const RADIUS = 97;
const WIDTH = 4.5;

/** A turn for the eyes alone: nothing of it is stored. */
type Turn = { stopAt: number; label: string; isOver: boolean };

/** A segment by its weight; -1 when none has any. */
function draw(segments: readonly SegmentValues[], random: number): number {
  const sum = segments.reduce((total, { weight }) => total + weight, 0);
  let point = random * sum;
  return segments.findIndex(({ weight }) => {
    point -= weight;
    return weight > 0 && point < 0;
  });
}

/** The wheel as customers will see it, with the true odds around it; it can be spun to try. */
export function WheelPreview(props: { mark: string; segments: readonly SegmentValues[] }) {
  const { mark, segments } = props;
  const [turn, setTurn] = useState<Turn | null>(null);
  const isTurning = turn !== null && !turn.isOver;
  const canTurn = segments.some(({ weight }) => weight > 0);
  const spin = () => {
    const stopAt = draw(segments, Math.random());
    const label = segments[stopAt]?.label;
    if (isTurning || label === undefined) return;
    setTurn({ stopAt, label, isOver: false });
  };
  return (
    <div className="grid justify-items-center gap-4">
      <div
        className="relative w-full max-w-88 overflow-x-clip p-5"
        role="img"
        aria-label={copy.picture}
      >
        <OddsRing segments={segments} />
        <div className="light">
          <Wheel
            mark={mark}
            segments={segments.map(({ key, label, color }) => ({ id: key, label, color }))}
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
      <p role="status" className="min-h-6 text-center text-sm text-pretty text-muted">
        {!canTurn && copy.noWeight}
        {canTurn && turn?.isOver && copy.stopped(turn.label)}
      </p>
    </div>
  );
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
