import { Link } from "@tanstack/react-router";
import type { CustomerItem, CustomerList } from "#domain/schemas/customers.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatDate, formatNumber } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Badge } from "../../../ui/badge.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { LanguageMark } from "../../../ui/language-mark.tsx";
import type { ListColumn } from "../../../ui/list-table/list-column.ts";
import { ListItems } from "../../../ui/list-table/list-items.tsx";
import { SelectionAction } from "../../../ui/list-table/selection-action.tsx";
import { CursorPager } from "../../../ui/lists/cursor-pager.tsx";
import { ExportButton } from "../../../ui/lists/export-button.tsx";
import { useWithdrawConsents } from "../customers.mutations.ts";
import { customersCopy } from "./customers.copy.ts";

const copy = customersCopy.row;
const selectionCopy = customersCopy.selection;

type CustomerItemsProps = {
  orgId: string;
  list: CustomerList;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  onPage: (page: { after: string } | { before: string }) => void;
};

/** A page of customers. */
export function CustomerItems({ orgId, list, sort, onSort, onPage }: CustomerItemsProps) {
  const first = list.items[0];
  const last = list.items.at(-1);
  return (
    <>
      <ListItems
        name="customers"
        label={customersCopy.items}
        items={list.items}
        columns={COLUMNS}
        card={(customer) => <CustomerCard customer={customer} />}
        nameOf={({ name }) => name}
        sort={sort}
        onSort={onSort}
        actions={(selected, onDone) => (
          <CustomerSelection
            orgId={orgId}
            canExport={list.can_export}
            selected={selected}
            onDone={onDone}
          />
        )}
      />
      <CursorPager
        hasPrevious={list.has_previous}
        hasNext={list.has_next}
        onPrevious={() => first && onPage({ before: first.id })}
        onNext={() => last && onPage({ after: last.id })}
      />
    </>
  );
}

function lastActivity({ last_activity_at }: CustomerItem): string {
  return last_activity_at ? formatDate(new Date(last_activity_at)) : copy.never;
}

function rating({ rating_sum, review_count }: CustomerItem): string {
  if (review_count === 0) return copy.noReview;
  return copy.reviews(formatAverage(rating_sum, review_count), formatNumber(review_count));
}

function Contact({ customer: { email, phone } }: { customer: CustomerItem }) {
  return (
    <>
      {email && <span className="block max-w-64 truncate">{email}</span>}
      {phone && <span className="block whitespace-nowrap text-muted tabular-nums">{phone}</span>}
    </>
  );
}

const COLUMNS: readonly ListColumn<CustomerItem>[] = [
  {
    id: "name",
    label: copy.name,
    isSortable: true,
    isFixed: true,
    cell: ({ id, name, locale, consent_marketing }) => (
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 font-sans text-base tracking-normal wrap-anywhere">
          <Link
            to="/customers/$customerId"
            params={{ customerId: id }}
            data-row-link=""
            className="hover:underline"
          >
            {name}
          </Link>
        </h2>
        <LanguageMark locale={locale} />
        {consent_marketing && <Badge tone="good">{copy.consent}</Badge>}
      </div>
    ),
  },
  { id: "contact", label: copy.contact, cell: (customer) => <Contact customer={customer} /> },
  { id: "created_at", label: copy.since, kind: "date", isSortable: true, cell: since },
  {
    id: "activity",
    label: copy.lastActivity,
    kind: "date",
    isSortable: true,
    cell: lastActivity,
  },
  { id: "rating", label: copy.rating, kind: "figure", cell: rating },
  {
    id: "participations",
    label: copy.participations,
    kind: "figure",
    cell: ({ spin_count }) => formatNumber(spin_count),
  },
  {
    id: "redemptions",
    label: copy.redemptions,
    kind: "figure",
    cell: ({ redemption_count }) => formatNumber(redemption_count),
  },
  {
    id: "details",
    label: copy.details,
    kind: "actions",
    isFixed: true,
    cell: ({ id, name }) => (
      <Link
        to="/customers/$customerId"
        params={{ customerId: id }}
        aria-label={copy.detailsOf(name)}
        className={`${buttonClass({ variant: "quiet" })} whitespace-nowrap`}
      >
        {copy.details}
      </Link>
    ),
  },
];

function since({ created_at }: CustomerItem): string {
  return formatDate(new Date(created_at));
}

function CustomerCard({ customer }: { customer: CustomerItem }) {
  const { id, name } = customer;
  const facts = [
    [copy.lastActivity, lastActivity(customer)],
    [copy.rating, rating(customer)],
    [copy.participations, formatNumber(customer.spin_count)],
    [copy.redemptions, formatNumber(customer.redemption_count)],
  ] as const;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
      <div className="mb-1.5 grid min-w-0 grow basis-full gap-1 sm:basis-[calc(100%-10rem)]">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="min-w-0 text-lg wrap-anywhere">{name}</h2>
          <LanguageMark locale={customer.locale} />
          {customer.consent_marketing && <Badge tone="good">{copy.consent}</Badge>}
        </div>
        <p className="flex flex-wrap gap-x-3 text-muted">
          {customer.email && <span className="min-w-0 wrap-anywhere">{customer.email}</span>}
          {customer.phone && <span className="whitespace-nowrap">{customer.phone}</span>}
        </p>
      </div>
      {/* Figures flow in lines; on a phone the way to the details ends the last one. */}
      <dl className="contents text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="flex gap-x-1.5 sm:order-1">
            <dt className="text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Link
        to="/customers/$customerId"
        params={{ customerId: id }}
        aria-label={copy.detailsOf(name)}
        className={`${buttonClass({ variant: "quiet" })} -mr-4 ml-auto text-violet group-data-selecting/cards:hidden max-sm:-mb-2.5`}
      >
        {copy.details}
      </Link>
    </div>
  );
}

type CustomerSelectionProps = {
  orgId: string;
  canExport: boolean;
  selected: readonly CustomerItem[];
  onDone: () => void;
};

/**
 * Actions on the ticked customers. A consent can be withdrawn for many at once, but given only by the person whom it is
 * about.
 */
function CustomerSelection({ orgId, canExport, selected, onDone }: CustomerSelectionProps) {
  const withdrawing = useWithdrawConsents(orgId);
  const mayWrite = useMay().may("customers.write");
  const ids = selected.map(({ id }) => id);
  const consenting = selected.filter((customer) => customer.consent_marketing);
  return (
    <>
      <ExportButton
        label={selectionCopy.export}
        isIncluded={canExport}
        order={{ type: "customers", org_id: orgId, filters: { ids } }}
      />
      {mayWrite && consenting.length > 0 && (
        <SelectionAction
          action={selectionCopy.withdraw}
          question={{
            title: selectionCopy.withdrawTitle(consenting.length),
            text: selectionCopy.withdrawText,
          }}
          ids={consenting.map(({ id }) => id)}
          mutation={withdrawing}
          onDone={onDone}
        />
      )}
    </>
  );
}
