import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `redeem`. Its SQL: `begin_api_request`, `redeem_code` and `redeem_code_with_key`. */
export default { fetch: standalone(handler) };
