import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `unsubscribe`. Its SQL: `unsubscribe`. */
export default { fetch: standalone(handler) };
