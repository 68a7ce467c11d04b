import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `public_review_click`. Its SQL: `record_public_click`. */
export default { fetch: standalone(handler) };
