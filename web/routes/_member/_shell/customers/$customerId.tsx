import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CustomerPage } from "../../../../features/customers/profile/customer-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";
import { searchId } from "../../../../lib/search-id.ts";

export const Route = createFileRoute("/_member/_shell/customers/$customerId")({
  validateSearch: z.object({
    edit: z.catch(z.optional(z.literal(true)), undefined),
    /** The review that the user came to read. */
    review: searchId,
  }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Customer,
});

function Customer() {
  const { customerId } = Route.useParams();
  const { edit = false, review } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <CustomerPage
      key={customerId}
      customerId={customerId}
      isEditing={edit}
      reviewId={review}
      onEditing={(isEditing) => navigate({ search: { edit: isEditing || undefined } })}
    />
  );
}
