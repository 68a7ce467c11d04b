import { standalone } from "../_shared/http/standalone.ts";
import { readPayments } from "../_shared/http/standalone-payments.ts";
import { handler } from "./handler.ts";

/** Endpoint `billing-portal`. Its SQL: `begin_billing`. */
export default { fetch: standalone(handler, { readPayments }) };
