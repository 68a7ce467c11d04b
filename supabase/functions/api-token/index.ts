import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `api-token`. Its SQL: `begin_api_request`. */
export default { fetch: standalone(handler) };
