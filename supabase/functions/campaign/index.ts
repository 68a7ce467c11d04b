import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `campaign`. Its SQL: `campaign_page`, `closed_campaign_page` and `organization_page`. */
export default { fetch: standalone(handler) };
