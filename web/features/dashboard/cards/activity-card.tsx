import { useId } from "react";
import type { ActivityItem } from "#domain/schemas/back-office.ts";
import { formatElapsed } from "../../../lib/figures.ts";
import { useCustomerName } from "../../../lib/use-customer-name.ts";
import { dashboardCopy } from "../dashboard.copy.ts";

const copy = dashboardCopy.activity;

/** Green for a review, blue for a use, purple for a win. */
const DOTS = { review: "bg-mint", redeem: "bg-sky", win: "bg-violet" } as const;

function whatHappened({ kind, rating, reward }: ActivityItem): string {
  if (kind === "review") return copy.review(rating ?? 0);
  return copy[kind](reward ?? copy.reward);
}

/** Latest activity of customers. */
export function ActivityCard({ activity }: { activity: readonly ActivityItem[] }) {
  const titleId = useId();
  const nameOf = useCustomerName();
  const now = new Date();
  return (
    <section aria-labelledby={titleId} className="rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 id={titleId} className="text-xl">
        {copy.title}
      </h2>
      {activity.length === 0 ? (
        <p className="mt-4 text-muted">{copy.empty}</p>
      ) : (
        <ul className="mt-3 divide-y divide-line">
          {activity.map((item) => (
            <li key={`${item.kind} ${item.at}`} className="flex items-baseline gap-3.5 py-3">
              <span
                aria-hidden="true"
                data-kind={item.kind}
                className={`size-2.5 shrink-0 rounded-full ${DOTS[item.kind]}`}
              />
              <div className="min-w-0">
                <p className="font-semibold">{whatHappened(item)}</p>
                <p className="text-sm text-muted">
                  {copy.line(nameOf(item.name), formatElapsed(new Date(item.at), now))}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
