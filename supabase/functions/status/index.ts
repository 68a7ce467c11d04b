import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `status`. Its SQL: `service_status`. */
export default { fetch: standalone(handler) };
