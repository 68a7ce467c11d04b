import type { Funnel } from "#domain/schemas/campaign-stats.ts";
import { type CodeFigures, shareWithoutPoints } from "../plans/without-points.tsx";
import { TitledCard } from "../titled-card.tsx";
import { chartsCopy } from "./charts.copy.ts";
import { FunnelChart } from "./funnel-chart.tsx";

const copy = chartsCopy.visits;

const STEPS = ["scans", "reviews", "spins", "wins", "redemptions"] as const;

type VisitFunnelProps = {
  funnel: Funnel;
  /** The same days with everybody: codes used, wins, and those of the wins that are of points. */
  figures: CodeFigures;
  hint?: string;
  /** On a phone only its title shows at first. */
  folds?: boolean;
};

/** Funnel of customers who left a review, from the scan to the code used at the till; the others are listed below it. */
export function VisitFunnel({ funnel, figures, hint, folds = false }: VisitFunnelProps) {
  const { free } = funnel;
  const share = shareWithoutPoints(figures);
  const notes = [
    free.spins > 0 && copy.free(free.spins, free.wins, free.redemptions),
    share !== null && copy.withoutPoints(share),
  ].filter((note) => note !== false);
  return (
    <TitledCard
      title={copy.funnel}
      text={hint ? `${hint} ${copy.funnelHint}` : copy.funnelHint}
      folds={folds}
    >
      <FunnelChart
        steps={STEPS.map((step) => ({
          label: copy.steps[step],
          count: funnel[step],
          more: step === "scans" ? "" : copy.more[step],
        }))}
      />
      {notes.length > 0 && (
        <div className="grid gap-1 border-t border-line pt-4 text-sm text-pretty text-muted tabular-nums">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
    </TitledCard>
  );
}
