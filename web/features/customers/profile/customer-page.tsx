import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Download, Gift, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { CustomerDetail } from "#domain/schemas/customers.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatAverage } from "../../../lib/figures.ts";
import { formatDate, formatLanguage, formatNumber } from "../../../lib/format.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { BackLink } from "../../../ui/back-link.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { LanguageMark } from "../../../ui/language-mark.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { MissingPage } from "../../../ui/states/missing-page.tsx";
import { useCopyCustomerData, useEraseCustomer } from "../customers.mutations.ts";
import { customerQuery } from "../customers.queries.ts";
import { consentShown } from "./consent-shown.ts";
import { customerDetailCopy as copy } from "./customer-detail.copy.ts";
import { customerFormCopy } from "./customer-form.copy.ts";
import { CustomerForm } from "./customer-form.tsx";
import { CustomerHistory } from "./customer-history.tsx";
import { SpendDialog } from "./spend-dialog.tsx";

type CustomerPageProps = {
  customerId: string;
  isEditing: boolean;
  /** The review that the user came to read. */
  reviewId: string | undefined;
  onEditing: (isEditing: boolean) => void;
};

/** `/customers/{id}`: a customer's details and history. */
export function CustomerPage(props: CustomerPageProps) {
  const { supabase } = useApp();
  const query = useQuery(customerQuery(supabase, props.customerId));
  const customer = query.data;
  const { notFound } = copy;
  usePageTitle(customer === null ? notFound.title : (customer?.name ?? copy.subtitle));

  if (customer === null) {
    return <MissingPage {...notFound} to="/customers" />;
  }
  if (query.isError && !customer) {
    return (
      <LoadProblem
        text={loadFailure(query.error, copy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  if (!customer) return <ListSkeleton />;
  return <Loaded {...props} customer={customer} onReload={() => query.refetch()} />;
}

type LoadedProps = CustomerPageProps & {
  customer: CustomerDetail;
  onReload: () => Promise<unknown>;
};

function Loaded({ customer, reviewId, isEditing: isAsked, onEditing, onReload }: LoadedProps) {
  // Any user can open the address that asks for it.
  const mayEdit = useMay().may("customers.write");
  const isEditing = isAsked && mayEdit;
  const [isSaved, setIsSaved] = useState(false);
  // Only what was asked for again replaces what is in the form.
  const [reloads, setReloads] = useState(0);
  return (
    <div className="grid gap-8">
      <CustomerHeader
        customer={customer}
        isEditing={isEditing}
        onEdit={() => {
          setIsSaved(false);
          onEditing(true);
        }}
      />
      {isSaved && !isEditing && <Notice tone="done">{customerFormCopy.saved}</Notice>}
      {isEditing ? (
        <CustomerForm
          key={reloads}
          customer={customer}
          onSaved={() => {
            setIsSaved(true);
            onEditing(false);
          }}
          onCancel={() => onEditing(false)}
          onReload={async () => {
            await onReload();
            setReloads(reloads + 1);
          }}
        />
      ) : (
        <CustomerFacts customer={customer} />
      )}
      <CustomerHistory customer={customer} reviewId={reviewId} />
    </div>
  );
}

const eraseCopy = customerFormCopy.erase;

type CustomerHeaderProps = { customer: CustomerDetail; isEditing: boolean; onEdit: () => void };

/** Identity of the customer, and the actions that the reader's permissions allow. */
function CustomerHeader({ customer, isEditing, onEdit }: CustomerHeaderProps) {
  const { may } = useMay();
  const [isErasing, setIsErasing] = useState(false);
  const [isSpending, setIsSpending] = useState(false);
  const navigate = useNavigate();
  const dataCopy = useCopyCustomerData(customer.id);
  const mayCopy = may("customers.delete") && may("codes.read") && may("reviews.read");
  return (
    <header className="grid gap-3">
      <BackLink to="/customers" label={copy.back} />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid min-w-0 gap-1.5">
          <h1 className="text-2xl sm:text-3xl">{customer.name}</h1>
          <p className="flex flex-wrap items-center gap-3 text-muted">
            <span>{copy.subtitle}</span>
            <LanguageMark locale={customer.locale} />
            {customer.consent && <Badge tone="good">{copy.consentBadge}</Badge>}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          {may("customers.delete") && (
            <Button variant="secondary" onClick={() => setIsErasing(true)}>
              <Trash2 aria-hidden="true" className="size-5" />
              {copy.erase}
            </Button>
          )}
          {mayCopy && (
            <Button variant="secondary" busy={dataCopy.isPending} onClick={() => dataCopy.mutate()}>
              {!dataCopy.isPending && <Download aria-hidden="true" className="size-5" />}
              {copy.copy.action}
            </Button>
          )}
          {may("codes.redeem") && customer.points > 0 && (
            <Button variant="secondary" onClick={() => setIsSpending(true)}>
              <Gift aria-hidden="true" className="size-5" />
              {copy.spend.open}
            </Button>
          )}
          {may("customers.write") && !isEditing && (
            <Button onClick={onEdit}>
              <Pencil aria-hidden="true" className="size-5" />
              {copy.edit}
            </Button>
          )}
        </div>
      </div>
      {dataCopy.isSuccess && <Notice tone="done">{copy.copy.done}</Notice>}
      {dataCopy.isError && (
        <Alert>
          {errorMessage(dataCopy.error, {
            forbidden: copy.copy.forbidden,
            unknown: copy.copy.failed,
          })}
        </Alert>
      )}
      {isSpending && <SpendDialog customer={customer} onClose={() => setIsSpending(false)} />}
      {isErasing && (
        <EraseDialog
          customer={customer}
          onErased={() => navigate({ to: "/customers", replace: true, ignoreBlocker: true })}
          onClose={() => setIsErasing(false)}
        />
      )}
    </header>
  );
}

type EraseDialogProps = { customer: CustomerDetail; onErased: () => void; onClose: () => void };

/** Names what will go, and what stays without a name, before a person is forgotten. */
function EraseDialog({ customer, onErased, onClose }: EraseDialogProps) {
  const erase = useEraseCustomer();
  const going = [
    eraseCopy.identity,
    ...(customer.review_count > 0 ? [eraseCopy.reviews(customer.review_count)] : []),
    ...(customer.spin_count > 0 ? [eraseCopy.spins(customer.spin_count)] : []),
    ...(customer.points > 0 ? [eraseCopy.points(customer.points)] : []),
  ];
  const problem = erase.isError
    ? errorMessage(erase.error, {
        forbidden: eraseCopy.forbidden,
        unknown: eraseCopy.failed,
      })
    : null;
  return (
    <ConfirmDialog
      title={eraseCopy.title(customer.name)}
      action={eraseCopy.action}
      busy={erase.isPending || erase.isSuccess}
      problem={problem}
      onConfirm={() => erase.mutate(customer.id, { onSuccess: onErased })}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{eraseCopy.text}</p>
        <ul className="grid list-disc gap-1 pl-5">
          {going.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {customer.open_codes > 0 && <p>{eraseCopy.codes(customer.open_codes)}</p>}
        <p>{eraseCopy.figures}</p>
      </div>
    </ConfirmDialog>
  );
}

const { contact, statistics, engagement, consent: consentCopy, note } = copy;

/** Contact, figures, engagement, consent and note of a customer. */
function CustomerFacts({ customer }: { customer: CustomerDetail }) {
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
          isShort
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
          isShort
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
        <Consent consent={customer.consent} withdrawn={customer.consent_withdrawn} />
      </Card>
      <div className="md:col-span-1 lg:col-span-2">
        <Card title={note.title}>
          <p
            dir="auto"
            className={`whitespace-pre-line wrap-anywhere ${customer.note ? "" : "text-muted"}`}
          >
            {customer.note ?? note.none}
          </p>
        </Card>
      </div>
    </div>
  );
}

type ConsentProps = Pick<CustomerDetail, "consent"> & {
  withdrawn: CustomerDetail["consent_withdrawn"];
};

/** When consent was given, by whom, and to which sentence; or when and by whom it was withdrawn. */
function Consent({ consent, withdrawn }: ConsentProps) {
  if (withdrawn) {
    const date = formatDate(new Date(withdrawn.at));
    return <p>{consentCopy.withdrawn(date, withdrawn.by === "team")}</p>;
  }
  if (!consent) return <p className="text-muted">{consentCopy.none}</p>;
  const shown = consentShown(consent);
  return (
    <div className="grid gap-2">
      <p>{consentCopy.given(formatDate(new Date(consent.at)))}</p>
      {consent.by === "team" && <p className="text-muted">{consentCopy.byTeam}</p>}
      {shown && (
        <>
          <p className="text-sm text-muted">
            {consent.locale === null
              ? consentCopy.wording
              : consentCopy.wordingIn(formatLanguage(consent.locale))}
          </p>
          <blockquote className="border-l-4 border-violet pl-3">
            « <span lang={shown.language}>{shown.sentence}</span> »
          </blockquote>
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

type FactsProps = {
  facts: readonly (readonly [string, string])[];
  /** Values of a few letters, of which two fit side by side. */
  isShort?: boolean;
};

function Facts({ facts, isShort = false }: FactsProps) {
  return (
    <dl className={`grid gap-x-4 gap-y-3 ${isShort ? "grid-cols-2" : ""}`}>
      {facts.map(([label, value]) => (
        <div key={label} className="grid gap-0.5">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
