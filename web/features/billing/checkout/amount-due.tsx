import type { Billing } from "#domain/rules/plan-names.ts";
import { formatExactEuros } from "../../../lib/format.ts";
import { checkoutCopy as copy } from "./checkout.copy.ts";
import type { Bill, Due } from "./use-due.ts";

/** The large figure: what is due today, what it is made of, and what comes afterwards. */
export function AmountDue({ due, billing }: { due: Due; billing: Billing }) {
  const bill = "bill" in due ? due.bill : null;
  const isLoading = due.kind === "loading";
  return (
    <div className="grid gap-4">
      <div
        role="status"
        className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold"
      >
        <span>{copy.amount[due.kind]}</span>
        <span className="font-display text-3xl font-bold tabular-nums">
          {bill ? formatExactEuros(bill.amount) : <NoFigure isLoading={isLoading} />}
        </span>
      </div>
      {bill ? <Breakdown bill={bill} billing={billing} /> : <Shape isLoading={isLoading} />}
    </div>
  );
}

function NoFigure({ isLoading }: { isLoading: boolean }) {
  if (!isLoading) {
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className="sr-only">{copy.noFigure.failed}</span>
      </>
    );
  }
  return (
    <>
      <span
        aria-hidden="true"
        className="inline-block h-7 w-32 animate-pulse rounded-field bg-line align-middle"
      />
      <span className="sr-only">{copy.noFigure.loading}</span>
    </>
  );
}

function Breakdown({ bill, billing }: { bill: Bill; billing: Billing }) {
  const { renewal } = bill;
  const rate = copy.next[billing](formatExactEuros(renewal.amount));
  return (
    <div className="grid gap-3 text-sm text-muted tabular-nums">
      <dl className="grid gap-1.5">
        {bill.lines.map(({ label, amount }) => (
          <div key={label} className="flex justify-between gap-4">
            <dt>{label}</dt>
            <dd className="shrink-0">{formatExactEuros(amount)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-balance">
        {renewal.at === null ? rate : copy.next.from(rate, renewal.at)}
      </p>
      {bill.creditLeft > 0 && <p>{copy.creditLeft(formatExactEuros(bill.creditLeft))}</p>}
      {bill.resumes && <p>{copy.resumes}</p>}
    </div>
  );
}

const ROWS = ["w-3/5", "w-1/2", "w-1/4"] as const;

/** The room that the parts take, so that nothing moves when they come. */
function Shape({ isLoading }: { isLoading: boolean }) {
  const look = isLoading ? "animate-pulse bg-line" : "";
  return (
    <div aria-hidden="true" className="grid gap-3 text-sm">
      <div className="grid gap-1.5">
        {ROWS.map((width) => (
          <div key={width} className="flex h-[1lh] items-center">
            <span className={`h-3.5 rounded-field ${width} ${look}`} />
          </div>
        ))}
      </div>
      <div className="flex h-[2lh] items-center min-[420px]:h-[1lh]">
        <span className={`h-3.5 w-4/5 rounded-field ${look}`} />
      </div>
    </div>
  );
}
