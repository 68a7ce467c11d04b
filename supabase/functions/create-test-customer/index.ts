import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `create-test-customer`. Its SQL: `begin_billing` and `set_billing_customer`. */
export default { fetch: standalone(handler) };
