import { standalone } from "../_shared/http/standalone.ts";
import { readPayments } from "../_shared/http/standalone-payments.ts";
import { handler } from "./handler.ts";

/** Endpoint `stripe-webhook`. Its SQL: `apply_subscription`, `is_former_customer` and `lock_billing_customer`. */
export default { fetch: standalone(handler, { readPayments }) };
