import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { customerFilters } from "#domain/schemas/customer-filters.ts";
import type { CustomersView } from "../../../../features/customers/customers.queries.ts";
import { CustomersPage } from "../../../../features/customers/list/customers-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { listSort } from "../../../../lib/lists/list-sort.ts";

const { search, consent, rating, activity, store_id, locale } = customerFilters.shape;

export const Route = createFileRoute("/_member/_shell/customers/")({
  validateSearch: z.object({
    q: z.catch(search, undefined),
    consent: z.catch(consent, undefined),
    rating: z.catch(rating, undefined),
    activity: z.catch(z.pipe(z.optional(z.coerce.string()), activity), undefined),
    store: z.catch(store_id, undefined),
    locale: z.catch(locale, undefined),
    sort: listSort(["name", "created_at", "activity"]),
    after: z.catch(z.optional(z.uuid()), undefined),
    before: z.catch(z.optional(z.uuid()), undefined),
  }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Customers,
});

function Customers() {
  const { orgId } = Route.useRouteContext();
  const { q, consent, rating, activity, store, locale, sort, after, before } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onView = ({ filters, sort, after, before }: CustomersView) => {
    const { search, consent, rating, activity, store_id, locale } = filters;
    return navigate({
      search: {
        q: search,
        consent,
        rating,
        activity,
        store: store_id,
        locale,
        sort,
        after,
        before,
      },
      // Typing is not a journey: going back leaves the list.
      replace: search !== q,
    });
  };
  return (
    <CustomersPage
      orgId={orgId}
      view={{
        filters: {
          ...(q && { search: q }),
          ...(consent !== undefined && { consent }),
          ...(rating !== undefined && { rating }),
          ...(activity && { activity }),
          ...(store && { store_id: store }),
          ...(locale && { locale }),
        },
        sort,
        after,
        before,
      }}
      onView={onView}
    />
  );
}
