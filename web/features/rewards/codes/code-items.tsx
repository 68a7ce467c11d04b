import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { CodeItem, RewardCodes } from "#domain/schemas/rewards.ts";
import { useMay } from "../../../lib/use-may.ts";
import type { ListColumn } from "../../../ui/list-table/list-column.ts";
import { ListItems } from "../../../ui/list-table/list-items.tsx";
import { ExportButton } from "../../../ui/lists/export-button.tsx";
import {
  CodeActions,
  CodeRow,
  CodeState,
  CodeTrace,
  dateOf,
  lastDayOf,
  momentOf,
} from "./code-row.tsx";
import { rewardCodesCopy as copy } from "./reward-codes.copy.ts";

/** Letters from which on a code takes more than one line. */
const LONG = 20;

const CODE: ListColumn<CodeItem> = {
  id: "code",
  label: copy.columns.code,
  isFixed: true,
  cell: ({ code }) => (
    <code
      className={`font-sans text-base font-bold tracking-[0.06em] ${
        code.length > LONG ? "wrap-anywhere" : "whitespace-nowrap"
      }`}
    >
      {code}
    </code>
  ),
};

const CUSTOMER: ListColumn<CodeItem> = {
  id: "customer",
  label: copy.facts.customer,
  cell: ({ customer, customer_id }) =>
    customer_id ? (
      <Link
        to="/customers/$customerId"
        params={{ customerId: customer_id }}
        data-row-link=""
        className="inline-block min-w-32 font-semibold wrap-anywhere hover:underline"
      >
        {customer ?? copy.anonymous}
      </Link>
    ) : (
      <span className="wrap-anywhere">{customer ?? copy.anonymous}</span>
    ),
};

const OTHERS: readonly ListColumn<CodeItem>[] = [
  {
    id: "status",
    label: copy.columns.status,
    cell: (item) => (
      <div className="grid max-w-72 justify-items-start gap-1">
        <CodeState item={item} />
        <CodeTrace trace={item.trace} />
      </div>
    ),
  },
  {
    id: "created_at",
    label: copy.facts.issued,
    kind: "date",
    isSortable: true,
    cell: ({ created_at }) => dateOf(created_at),
  },
  {
    id: "expires_at",
    label: copy.facts.expires,
    kind: "date",
    isSortable: true,
    cell: lastDayOf,
  },
  { id: "used", label: copy.facts.used, cell: ({ used_at }) => used_at && momentOf(used_at) },
  {
    id: "actions",
    label: copy.columns.actions,
    kind: "actions",
    isFixed: true,
    cell: (item) => <CodeActions item={item} isQuiet />,
  },
];

type CodeItemsProps = {
  orgId: string;
  list: RewardCodes;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
};

/** A page of codes. */
export function CodeItems({ orgId, list, sort, onSort }: CodeItemsProps) {
  const isNamed = useMay().may("customers.read");
  const columns = useMemo(() => [CODE, ...(isNamed ? [CUSTOMER] : []), ...OTHERS], [isNamed]);
  return (
    <ListItems
      name="codes"
      label={copy.items}
      items={list.items}
      columns={columns}
      card={(item) => <CodeRow item={item} />}
      nameOf={({ code }) => code}
      sort={sort}
      onSort={onSort}
      actions={(selected) => (
        <CodeSelection
          orgId={orgId}
          reward={list.reward}
          canExport={list.can_export}
          selected={selected}
        />
      )}
    />
  );
}

type CodeSelectionProps = {
  orgId: string;
  reward: RewardCodes["reward"];
  canExport: boolean;
  selected: readonly CodeItem[];
};

/** Actions on the ticked codes. */
function CodeSelection({ orgId, reward, canExport, selected }: CodeSelectionProps) {
  const filters = { reward_id: reward.id, ids: selected.map(({ id }) => id) };
  return (
    <ExportButton
      label={copy.exportSelection}
      isIncluded={canExport}
      order={{ type: "redemptions", org_id: orgId, filters }}
      of={reward.name}
    />
  );
}
