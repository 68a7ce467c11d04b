import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { Button } from "../../ui/button.tsx";
import { Wheel } from "../../ui/wheel/wheel.tsx";
import type { createWheelRunner } from "../../ui/wheel/wheel-runner.ts";
import { exampleSegments } from "./example-segments.copy.ts";
import { landingCopy } from "./landing.copy.ts";
import { trialQuery } from "./trial.queries.ts";

const copy = landingCopy.wheel;

type Turn = { stopAt: number; isTurning: boolean };

/**
 * The hero of the landing page: a wheel that one can really turn. Chance is the browser's here, since
 * nothing is won; a customer's turn is drawn by the database.
 */
export function TrialWheel() {
  const { config } = useApp();
  const trial = useQuery(trialQuery(config.demo_slug));
  const [runner, setRunner] = useState<{ create: typeof createWheelRunner } | null>(null);
  const [turn, setTurn] = useState<Turn | null>(null);
  const segments = trial.data ?? (trial.isError ? exampleSegments : null);
  const isTurning = turn?.isTurning === true;

  const spin = async () => {
    if (segments === null || isTurning) return;
    const { createWheelRunner: create } = await import("../../ui/wheel/wheel-runner.ts");
    setRunner((known) => known ?? { create });
    setTurn({ stopAt: Math.floor(Math.random() * segments.length), isTurning: true });
  };

  const stopped = turn && !isTurning ? segments?.[turn.stopAt] : undefined;
  return (
    <section aria-label={copy.label} className="grid justify-items-center gap-5">
      <div className="aspect-square w-full max-w-110">
        {segments && (
          <Wheel
            mark="T"
            segments={segments}
            createRunner={runner?.create ?? null}
            isTurning={isTurning}
            stopAt={turn?.stopAt ?? null}
            onStopped={() => setTurn((now) => now && { ...now, isTurning: false })}
            className="size-full"
          />
        )}
      </div>
      <div className="grid w-full max-w-80 gap-2 text-center">
        <Button size="lg" busy={isTurning} onClick={() => void spin()}>
          {isTurning ? copy.turning : stopped ? copy.again : copy.spin}
        </Button>
        <p role="status" className="min-h-12 text-pretty text-muted">
          {stopped ? copy.won(stopped.label) : copy.note}
        </p>
      </div>
    </section>
  );
}
