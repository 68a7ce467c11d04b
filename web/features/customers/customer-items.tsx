import { Link } from "@tanstack/react-router";
import type { CustomerItem, CustomerList } from "#domain/schemas/customers.ts";
import { formatAverage } from "../../lib/figures.ts";
import { formatDate, formatNumber } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { customersCopy } from "./customers.copy.ts";

const copy = customersCopy.row;

type CustomerItemsProps = {
  list: CustomerList;
  onPage: (page: { after: string } | { before: string }) => void;
};

/** A page of customers. */
export function CustomerItems({ list, onPage }: CustomerItemsProps) {
  const first = list.items[0];
  const last = list.items.at(-1);
  return (
    <>
      <ul className="grid gap-3">
        {list.items.map((customer) => (
          <CustomerRow key={customer.id} customer={customer} />
        ))}
      </ul>
      <CursorPager
        hasPrevious={list.has_previous}
        hasNext={list.has_next}
        onPrevious={() => first && onPage({ before: first.id })}
        onNext={() => last && onPage({ after: last.id })}
      />
    </>
  );
}

function CustomerRow({ customer }: { customer: CustomerItem }) {
  const { id, name, review_count } = customer;
  const facts = [
    [
      copy.lastActivity,
      customer.last_activity_at ? formatDate(new Date(customer.last_activity_at)) : copy.never,
    ],
    [
      copy.rating,
      review_count > 0
        ? copy.reviews(formatAverage(customer.rating_sum, review_count), formatNumber(review_count))
        : copy.noReview,
    ],
    [copy.participations, formatNumber(customer.spin_count)],
    [copy.redemptions, formatNumber(customer.redemption_count)],
  ] as const;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card bg-surface p-5 shadow-card">
      <div className="grid min-w-0 flex-1 basis-56 gap-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="min-w-0 text-lg wrap-anywhere">{name}</h2>
          {customer.consent_marketing && <Badge tone="good">{copy.consent}</Badge>}
        </div>
        <p className="text-muted wrap-anywhere">
          {customer.email}
          {customer.email && customer.phone && " · "}
          {customer.phone && <span className="whitespace-nowrap">{customer.phone}</span>}
        </p>
      </div>
      <dl className="grid flex-2 basis-80 grid-cols-2 gap-x-5 gap-y-3 text-sm sm:grid-cols-4">
        {facts.map(([label, value]) => (
          <div key={label} className="grid content-start gap-0.5">
            <dt className="text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Link
        to="/customers/$customerId"
        params={{ customerId: id }}
        aria-label={copy.detailsOf(name)}
        className={`${buttonClass({ variant: "secondary" })} max-sm:w-full`}
      >
        {copy.details}
      </Link>
    </li>
  );
}
