import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `scan`. Its SQL: `record_scan`. */
export default { fetch: standalone(handler) };
