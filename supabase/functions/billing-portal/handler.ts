import { portalRequest } from "../_shared/domain/schemas/billing.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { isMissing } from "../_shared/http/payments.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";
import { withBilling } from "../_shared/http/with-billing.ts";

/**
 * `POST billing-portal { customer_id }` → `{ portal_url }`: the provider's page for cards, bills and
 * cancelling, of the caller's organisation.
 */
export const handler = serve(
  { name: "billing-portal", method: "POST", failure: "portal_failed" },
  async (request, deps) => {
    const parsed = await parseBody(request, portalRequest);
    if (!parsed.ok) return parsed.response;
    return withBilling(request, deps, null, async ({ payments, account }) => {
      const { customer_id: customer } = account;
      if (!customer) return refuse("customer_missing");
      if (customer !== parsed.body.customer_id) return refuse("billing_forbidden");
      const returnUrl = new URL("/settings?section=subscription", payments.siteUrl ?? request.url)
        .href;
      try {
        const { url } = await payments.stripe.billingPortal.sessions.create({
          customer,
          locale: "fr",
          return_url: returnUrl,
        });
        return json({ portal_url: url });
      } catch (error) {
        if (isMissing(error)) return refuse("customer_missing");
        throw error;
      }
    });
  },
);
