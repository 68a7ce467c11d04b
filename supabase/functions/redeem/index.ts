import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `redeem`, a name that the specification fixes. Its SQL: `redeem_code` and `redeem_code_with_key`. */
export default { fetch: standalone(handler) };
