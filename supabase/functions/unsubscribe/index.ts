import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `unsubscribe`. Its SQL: `unsubscribe` and `withdraw_own_consent`. */
export default { fetch: standalone(handler) };
