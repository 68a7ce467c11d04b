import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { CustomerFilters } from "#domain/schemas/customer-filters.ts";
import { customerCount, customerDetail, customerList } from "#domain/schemas/customers.ts";
import { pointsChoices } from "#domain/schemas/points.ts";
import { dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** First word of every key of this feature. */
export const CUSTOMERS = "customers";

/**
 * View in the list's address: filters, order, and the customer after or before whom the page
 * stands.
 */
export type CustomersView = {
  filters: CustomerFilters;
  sort?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
};

/** A page of the customers, with the figures above it. */
export function customerListQuery(supabase: Supabase, orgId: string, view: CustomersView) {
  return queryOptions({
    queryKey: [CUSTOMERS, "list", orgId, view],
    queryFn: async () => {
      const answer = await supabase.rpc("customer_list", {
        p_org_id: orgId,
        p_filters: view.filters,
        ...(view.after && { p_after: view.after }),
        ...(view.before && { p_before: view.before }),
        ...(view.sort && { p_sort: view.sort }),
      });
      if (answer.error) throw dataError(answer);
      return customerList.parse(answer.data);
    },
    placeholderData: keepPreviousData,
  });
}

/** How many customers pass the filters, where the list itself has stopped counting. */
export function customerCountQuery(
  supabase: Supabase,
  orgId: string,
  filters: CustomerFilters,
  isWanted: boolean,
) {
  return queryOptions({
    queryKey: [CUSTOMERS, "count", orgId, filters],
    queryFn: async () => {
      const answer = await supabase.rpc("customer_count", { p_org_id: orgId, p_filters: filters });
      if (answer.error) throw dataError(answer);
      return customerCount.parse(answer.data);
    },
    enabled: isWanted,
  });
}

/** Everything of one customer; null when there is none. Never read from the cache, so that no stale copy is edited. */
export function customerQuery(supabase: Supabase, customerId: string) {
  return queryOptions({
    queryKey: [CUSTOMERS, "detail", customerId],
    queryFn: async () => {
      const answer = await supabase.rpc("customer_detail", { p_id: customerId });
      // An address without a valid identifier leads to no customer.
      if (answer.error?.code === "22P02") return null;
      if (answer.error) throw dataError(answer);
      return customerDetail.parse(answer.data);
    },
    staleTime: 0,
  });
}

/** Query of the points that a customer can spend now, and of the rewards for them. */
export function pointsChoicesQuery(supabase: Supabase, customerId: string) {
  return queryOptions({
    queryKey: [CUSTOMERS, "points", customerId],
    queryFn: async () => {
      const answer = await supabase.rpc("points_choices", { p_customer_id: customerId });
      if (answer.error) throw dataError(answer);
      return pointsChoices.parse(answer.data);
    },
    staleTime: 0,
  });
}
