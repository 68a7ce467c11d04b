import type { ReactNode } from "react";
import { consentWordings } from "#domain/rules/consent.copy.ts";
import type { CustomerDetail } from "#domain/schemas/customers.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatDate, formatLanguage, formatNumber } from "../../../lib/format.ts";
import { customerDetailCopy } from "./customer-detail.copy.ts";

const { contact, statistics, engagement, consent: consentCopy, note } = customerDetailCopy;

/** Contact, figures, engagement, consent and note of a customer. */
export function CustomerFacts({ customer }: { customer: CustomerDetail }) {
  const average = formatAverage(customer.rating_sum, customer.review_count);
  return (
    <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
      <Card title={contact.title}>
        <Facts
          facts={[
            ...(customer.email ? [[contact.email, customer.email] as const] : []),
            ...(customer.phone ? [[contact.phone, customer.phone] as const] : []),
            [contact.locale, formatLanguage(customer.locale)],
          ]}
        />
      </Card>
      <Card title={statistics.title}>
        <Facts
          facts={[
            [statistics.rating, statistics.ofFive(average)],
            [statistics.participations, formatNumber(customer.spin_count)],
            [statistics.wins, formatNumber(customer.win_count)],
            [statistics.points, formatNumber(customer.points)],
          ]}
        />
      </Card>
      <Card title={engagement.title}>
        <Facts
          facts={[
            [engagement.since, formatDate(new Date(customer.created_at))],
            [
              engagement.lastActivity,
              customer.last_activity_at
                ? formatDate(new Date(customer.last_activity_at))
                : engagement.never,
            ],
            [engagement.reviews, formatNumber(customer.review_count)],
          ]}
        />
      </Card>
      <Card title={consentCopy.title}>
        <Consent consent={customer.consent} />
      </Card>
      <div className="md:col-span-1 lg:col-span-2">
        <Card title={note.title}>
          <p className={`whitespace-pre-line wrap-anywhere ${customer.note ? "" : "text-muted"}`}>
            {customer.note ?? note.none}
          </p>
        </Card>
      </div>
    </div>
  );
}

/** When consent was given, by whom, and to which sentence. */
function Consent({ consent }: Pick<CustomerDetail, "consent">) {
  if (!consent) return <p className="text-muted">{consentCopy.none}</p>;
  const wording = consentWordings[(consent.version ?? 0) - 1]?.(consent.organizer ?? "");
  return (
    <div className="grid gap-2">
      <p>{consentCopy.given(formatDate(new Date(consent.at)))}</p>
      {consent.by === "team" && <p className="text-muted">{consentCopy.byTeam}</p>}
      {wording && (
        <>
          <p className="text-sm text-muted">{consentCopy.wording}</p>
          <blockquote className="border-l-4 border-violet pl-3">« {wording} »</blockquote>
        </>
      )}
    </div>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid h-full content-start gap-4 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{title}</h2>
      {children}
    </section>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid gap-3">
      {facts.map(([label, value]) => (
        <div key={label} className="grid gap-0.5">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-semibold tabular-nums wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
