import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `campaign_rules`. Its SQL: `campaign_rules_page`. */
export default { fetch: standalone(handler) };
