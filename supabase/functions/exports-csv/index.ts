import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `exports-csv`. Its SQL: `audit_as`, `begin_export`, `export_campaigns`, `export_customers`, `export_redemptions` and `export_reviews`. */
export default { fetch: standalone(handler) };
