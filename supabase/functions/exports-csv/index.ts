import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `exports-csv`. Its SQL: `audit_as`, `begin_export`, `export_customers` and `export_redemptions`. */
export default { fetch: standalone(handler) };
