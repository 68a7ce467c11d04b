import { standalone } from "../_shared/http/standalone.ts";
import { readPayments } from "../_shared/http/standalone-payments.ts";
import { handler } from "./handler.ts";

/**
 * Endpoint `checkout`. Its SQL: `apply_subscription`, `begin_billing`, `is_former_customer`, `keep_campaigns`,
 * `lock_billing_customer` and `set_billing_customer`.
 */
export default { fetch: standalone(handler, { readPayments }) };
