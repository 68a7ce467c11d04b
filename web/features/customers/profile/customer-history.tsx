import { CircleDot, Gift, type LucideIcon, Star, TicketCheck } from "lucide-react";
import { useState } from "react";
import type { CustomerDetail, SpendEntry } from "#domain/schemas/customers.ts";
import { inCents } from "#domain/text/in-cents.ts";
import { formatExactEuros, formatMoment } from "../../../lib/format.ts";
import { Joined } from "../../../ui/joined.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { useBroughtIntoView } from "../../../ui/use-brought-into-view.ts";
import { customerDetailCopy } from "./customer-detail.copy.ts";

const copy = customerDetailCopy.history;

/** Most entries of a tab (specification, section 2.12). */
const MAX_ENTRIES = 20;

const TABS = [
  { name: "all", label: copy.tabs.all },
  { name: "reviews", label: copy.tabs.reviews },
  { name: "spins", label: copy.tabs.spins },
  { name: "redemptions", label: copy.tabs.redemptions },
] as const;
type Tab = (typeof TABS)[number]["name"];

type Entry = {
  key: string;
  at: string;
  icon: LucideIcon;
  title: string;
  /** Campaign, and what was won or used. */
  facts: string[];
  text: string | null;
};

function priced(name: string, value: number | null): string {
  return value === null ? name : `${name} (${formatExactEuros(inCents(value))})`;
}

function present(facts: readonly (string | null | false)[]): string[] {
  return facts.filter((fact): fact is string => typeof fact === "string");
}

/** A reward that was bought with points is listed among the rewards. */
function spendEntry(entry: SpendEntry): Entry {
  return {
    key: entry.id,
    at: entry.at,
    icon: Gift,
    title: copy.spend,
    facts: present([
      entry.reward,
      copy.spent(entry.points),
      copy.spendStates[entry.status],
      entry.code !== null && copy.code(entry.code),
    ]),
    text: null,
  };
}

function newestFirst(entries: Entry[]): Entry[] {
  return entries
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, MAX_ENTRIES);
}

function entriesOf({ reviews, spins, redemptions, spends }: CustomerDetail) {
  return {
    reviews: reviews.map(
      (entry): Entry => ({
        key: entry.id,
        at: entry.at,
        icon: Star,
        title: copy.review(entry.rating),
        facts: present([entry.campaign]),
        text: entry.text,
      }),
    ),
    spins: spins.map(
      (entry): Entry => ({
        key: entry.id,
        at: entry.at,
        icon: CircleDot,
        title: copy.spin,
        facts: present([
          entry.campaign,
          entry.reward === null ? copy.lost : copy.won(priced(entry.reward, entry.value)),
          entry.points !== null && copy.points(entry.points),
        ]),
        text: null,
      }),
    ),
    redemptions: newestFirst([
      ...redemptions.map(
        (entry): Entry => ({
          key: entry.id,
          at: entry.at,
          icon: TicketCheck,
          title: copy.redemption,
          facts: present([
            entry.campaign,
            priced(entry.reward, entry.value),
            entry.code !== null && copy.code(entry.code),
          ]),
          text: null,
        }),
      ),
      ...spends.map(spendEntry),
    ]),
  };
}

function shownIn(tab: Tab, customer: CustomerDetail): Entry[] {
  const entries = entriesOf(customer);
  if (tab !== "all") return entries[tab];
  return newestFirst(Object.values(entries).flat());
}

type CustomerHistoryProps = {
  customer: CustomerDetail;
  /** The review that the user came to read: it is brought into view. */
  reviewId: string | undefined;
};

/** History of a customer, newest first. */
export function CustomerHistory({ customer, reviewId }: CustomerHistoryProps) {
  const isThere = customer.reviews.some(({ id }) => id === reviewId);
  const [tab, setTab] = useState<Tab>(isThere ? "reviews" : "all");
  const shown = shownIn(tab, customer);
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{copy.title}</h2>
      <Tabs label={copy.label} tabs={TABS} current={tab} onChange={setTab}>
        {shown.length === 0 ? (
          <p className="py-8 text-center text-muted">{copy.empty}</p>
        ) : (
          <ol className="grid">
            {shown.map((entry) => (
              <HistoryEntry key={entry.key} entry={entry} isAsked={entry.key === reviewId} />
            ))}
          </ol>
        )}
      </Tabs>
    </section>
  );
}

function HistoryEntry({ entry, isAsked }: { entry: Entry; isAsked: boolean }) {
  const { icon: Icon } = entry;
  const place = useBroughtIntoView<HTMLLIElement>(isAsked);
  return (
    <li
      ref={place}
      tabIndex={isAsked ? -1 : undefined}
      className={`flex gap-4 border-line py-4 not-first:border-t ${isAsked ? "-mx-3 rounded-field bg-violet-soft px-3" : ""}`}
    >
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-full bg-violet-soft text-violet"
      >
        <Icon className="size-5" />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h3 className="text-base font-semibold">{entry.title}</h3>
          <time dateTime={entry.at} className="text-sm text-muted">
            {formatMoment(new Date(entry.at), new Date())}
          </time>
        </div>
        <p className="text-muted">
          <Joined facts={entry.facts} />
        </p>
        {entry.text && (
          <p dir="auto" className="whitespace-pre-line">
            {entry.text}
          </p>
        )}
      </div>
    </li>
  );
}
