import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CustomerDetail } from "#domain/schemas/customers.ts";
import { useApp } from "../../../lib/app-context.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { Notice } from "../../../ui/notice.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { MissingPage } from "../../../ui/states/missing-page.tsx";
import { customerQuery } from "../customers.queries.ts";
import { customerDetailCopy } from "./customer-detail.copy.ts";
import { CustomerFacts } from "./customer-facts.tsx";
import { customerFormCopy } from "./customer-form.copy.ts";
import { CustomerForm } from "./customer-form.tsx";
import { CustomerHeader } from "./customer-header.tsx";
import { CustomerHistory } from "./customer-history.tsx";

type CustomerPageProps = {
  customerId: string;
  isEditing: boolean;
  /** The review that somebody comes to read. */
  reviewId: string | undefined;
  onEditing: (isEditing: boolean) => void;
};

/** `/customers/{id}`: who somebody is, and what they did. */
export function CustomerPage(props: CustomerPageProps) {
  const { supabase } = useApp();
  const query = useQuery(customerQuery(supabase, props.customerId));
  const customer = query.data;
  const { notFound } = customerDetailCopy;
  usePageTitle(
    customer === null ? notFound.title : (customer?.name ?? customerDetailCopy.subtitle),
  );

  if (customer === null) {
    return (
      <MissingPage title={notFound.title} text={notFound.text}>
        <Link to="/customers" className={buttonClass()}>
          {notFound.back}
        </Link>
      </MissingPage>
    );
  }
  if (query.isError && !customer) {
    return (
      <LoadProblem
        text={loadFailure(query.error, customerDetailCopy.loadFailed)}
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
  // The address may ask for it on behalf of anybody.
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
