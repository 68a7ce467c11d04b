import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `brand_logo`. Its SQL: `begin_brand_logo`, `set_brand_logo` and `stale_logo_files`. */
export default { fetch: standalone(handler) };
