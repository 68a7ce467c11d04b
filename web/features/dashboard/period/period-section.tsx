import { useQuery } from "@tanstack/react-query";
import { Percent, QrCode, Smile, Star } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { Dashboard, PeriodFigures } from "#domain/schemas/back-office.ts";
import { inPoints } from "#domain/text/in-points.ts";
import { useApp } from "../../../lib/app-context.ts";
import { formatChange } from "../../../lib/figures.ts";
import { formatDate, formatNumber, formatShare } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { VisitFunnel } from "../../../ui/charts/visit-funnel.tsx";
import { VisitTrend } from "../../../ui/charts/visit-trend.tsx";
import { WithoutPoints } from "../../../ui/plans/without-points.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../../ui/states/stale-notice.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";
import { type BasketForm, EarningsCard } from "../earnings/earnings-card.tsx";
import { periodQuery } from "./period.queries.ts";
import { datesOf, type Period, USUAL } from "./period.ts";
import { PeriodSwitch } from "./period-switch.tsx";

const copy = dashboardCopy.period;
const tilesCopy = dashboardCopy.period.tiles;

/** A day of the address or of an answer, as people write it. */
const dayOf = (day: string) => formatDate(new Date(`${day}T12:00:00`));

type PeriodSectionProps = {
  orgId: string;
  dashboard: Dashboard;
  advanced: NonNullable<Dashboard["advanced"]>;
  period: Period;
  onPeriod: (period: Period) => void;
  basketForm: BasketForm;
  /** The second line: the figures of all time. */
  children: ReactNode;
};

/** One choice of days for tiles, trend, funnel and what they brought. The usual days came with the dashboard. */
export function PeriodSection(props: PeriodSectionProps) {
  const { orgId, dashboard, advanced, period, onPeriod, basketForm, children } = props;
  const titleId = useId();
  const { supabase } = useApp();
  const today = advanced.days.at(-1)?.day ?? "";
  const dates = datesOf(period, today);
  const isUsual = period === USUAL;
  const query = useQuery({ ...periodQuery(supabase, orgId, dates), enabled: !isUsual });
  const usual: PeriodFigures = {
    ...advanced,
    totals: dashboard.last_30_days,
    previous: dashboard.previous_30_days,
  };
  const figures = isUsual ? usual : query.data;
  const isOld = !isUsual && (query.isPlaceholderData || query.isPending);
  const [from, to] = [dayOf(dates.from), dayOf(dates.to)];
  // A line takes two points.
  const isOneDay = figures?.days.length === 1;
  const words = {
    trend: typeof period === "number" ? copy.trend(period) : copy.trendOfDates,
    trendTitle: copy.trendTitle(from, to),
    quiet: copy.quiet,
  };
  return (
    <>
      <section aria-labelledby={titleId} className="grid gap-4">
        <div className="flex flex-wrap items-start justify-between gap-4">
          <div>
            <h2 id={titleId} className="text-xl">
              {copy.title}
            </h2>
            <p role="status" className="text-sm text-muted">
              {copy.span(from, to)}
            </p>
          </div>
          <PeriodSwitch period={period} today={today} onPeriod={onPeriod} />
        </div>
        {!isUsual && <StaleNotice query={{ ...query, isKept: query.isPlaceholderData }} />}
        {figures && (
          <div aria-busy={isOld} className={isOld ? "opacity-50" : ""}>
            <PeriodTiles {...figures} />
          </div>
        )}
      </section>
      {children}
      {figures ? (
        <div aria-busy={isOld} className={`grid gap-6 sm:gap-8 ${isOld ? "opacity-50" : ""}`}>
          <div
            className={`grid gap-4 *:content-start ${isOneDay ? "" : "xl:grid-cols-[1.7fr_1fr]"}`}
          >
            {!isOneDay && <VisitTrend days={figures.days} words={words} />}
            <VisitFunnel
              funnel={figures.funnel}
              figures={figures.totals}
              hint={copy.funnelHint(from, to)}
              folds
            />
          </div>
          <EarningsCard
            orgId={orgId}
            earned={figures.return}
            dates={dates}
            basketForm={basketForm}
          />
        </div>
      ) : (
        query.isError && (
          <LoadProblem
            text={loadFailure(query.error, copy.loadFailed)}
            onRetry={() => query.refetch()}
            isRetrying={query.isFetching}
          />
        )
      )}
    </>
  );
}

/** The figures of some days, beside as many days before. */
function PeriodTiles({ totals: now, previous }: Pick<PeriodFigures, "totals" | "previous">) {
  const change = (text: string | null) =>
    text === null ? (
      tilesCopy.nothingBefore
    ) : (
      <>
        {text}
        <span className="max-sm:sr-only">{tilesCopy.than}</span>
      </>
    );
  return (
    <dl className="grid grid-cols-1 gap-3 min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4">
      <StatCard
        icon={QrCode}
        label={tilesCopy.scans}
        value={formatNumber(now.scans)}
        hint={change(formatChange(now.scans, previous.scans))}
      />
      <StatCard
        icon={Star}
        label={tilesCopy.reviews}
        value={formatNumber(now.reviews)}
        hint={change(formatChange(now.reviews, previous.reviews))}
      />
      <StatCard
        icon={Smile}
        label={tilesCopy.satisfaction}
        value={formatShare(now.five_star_reviews, now.reviews)}
        hint={change(
          inPoints(
            [now.five_star_reviews, now.reviews],
            [previous.five_star_reviews, previous.reviews],
          ),
        )}
      />
      <StatCard
        icon={Percent}
        label={tilesCopy.redemption}
        value={formatShare(now.redemptions, now.wins)}
        hint={
          <>
            {change(inPoints([now.redemptions, now.wins], [previous.redemptions, previous.wins]))}
            <WithoutPoints figures={now} />
          </>
        }
      />
    </dl>
  );
}
