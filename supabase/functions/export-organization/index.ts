import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `export-organization`, a name that the specification fixes. Its SQL: `export_organization` and `begin_export_organization`. */
export default { fetch: standalone(handler) };
