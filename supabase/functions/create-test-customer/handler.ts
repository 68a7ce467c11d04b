import { testCustomerRequest } from "../_shared/domain/schemas/billing.ts";
import { createCustomer, hasCustomer } from "../_shared/http/billing-customer.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { databaseError, FunctionFailure, serve } from "../_shared/http/serve.ts";
import { type BillingWork, withBilling } from "../_shared/http/with-billing.ts";

/**
 * `POST create-test-customer { email, name }` → `{ customer_id }`: in test mode alone, a customer for an
 * organisation whose own one the provider does not know.
 */
export const handler = serve(
  { name: "create-test-customer", method: "POST", failure: "test_customer_failed" },
  async (request, deps) => {
    if (deps.payments && !deps.payments.isTest) return refuse("not_found");
    const parsed = await parseBody(request, testCustomerRequest);
    if (!parsed.ok) return parsed.response;
    return withBilling(request, deps, null, async (work) => {
      const { customer_id: known } = work.account;
      const isKnown = known !== null && (await hasCustomer(work.payments.stripe, known));
      return json({ customer_id: isKnown ? known : await create(work, parsed.body) });
    });
  },
);

/** The customer exists by the time the database may refuse: that is a different error. */
async function create(work: BillingWork, person: { email: string; name: string }): Promise<string> {
  try {
    return await createCustomer(work, person);
  } catch (error) {
    const { data } = databaseError.safeParse(error);
    const isOurs = data?.code !== undefined && /^[0-9A-Z]{5}$/.test(data.code);
    throw isOurs ? new FunctionFailure("test_customer_not_saved", error) : error;
  }
}
