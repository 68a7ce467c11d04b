import { dashboardCopy } from "./dashboard.copy.ts";

const CARDS = ["scans", "reviews", "satisfaction", "redemption"] as const;

/** The shape of the dashboard while it is on its way. */
export function DashboardSkeleton() {
  return (
    <div className="grid gap-6 sm:gap-8">
      <h1 className="text-2xl sm:text-3xl">{dashboardCopy.title}</h1>
      <p role="status" className="-mt-4 text-muted">
        {dashboardCopy.loading}
      </p>
      <div
        aria-hidden="true"
        className="grid animate-pulse gap-3 min-[380px]:grid-cols-2 sm:gap-4 xl:grid-cols-4"
      >
        {CARDS.map((card) => (
          <div key={card} className="h-36 rounded-card bg-surface shadow-card" />
        ))}
      </div>
      <div aria-hidden="true" className="h-64 animate-pulse rounded-card bg-surface shadow-card" />
    </div>
  );
}
