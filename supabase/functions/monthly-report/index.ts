import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `monthly-report`. Its SQL: `monthly_report`. */
export default { fetch: standalone(handler) };
