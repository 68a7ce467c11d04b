import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `export-organization`. Its SQL: `begin_export_organization` and `export_organization`. */
export default { fetch: standalone(handler) };
