import { CircleDot, Mail, Star, Users } from "lucide-react";
import type { CustomerList } from "#domain/schemas/customers.ts";
import { formatAverage } from "../../lib/figures.ts";
import { formatNumber, formatShare } from "../../lib/format.ts";
import { StatCard } from "../../ui/stat-card.tsx";
import { customersCopy } from "./customers.copy.ts";

const copy = customersCopy.cards;

/** The four figures above the list, whatever is searched below. */
export function CustomerCards({ list }: { list: CustomerList | undefined }) {
  const totals = list?.totals;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <StatCard icon={Users} label={copy.total} value={totals && formatNumber(totals.customers)} />
      <StatCard
        icon={Mail}
        label={copy.consent}
        value={totals && formatShare(totals.consents, totals.customers)}
        hint={totals && copy.consentHint(totals.consents)}
      />
      <StatCard
        icon={Star}
        label={copy.rating}
        value={totals && formatAverage(totals.rating_sum, totals.reviews)}
        hint={copy.ratingHint}
      />
      <StatCard
        icon={CircleDot}
        label={copy.participation}
        value={totals && formatShare(totals.participants, totals.customers)}
        hint={copy.participationHint}
      />
    </dl>
  );
}
