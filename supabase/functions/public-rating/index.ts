import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `public-rating`. Its SQL: `public_rating_question` and `rate_rating_source`. */
export default { fetch: standalone(handler) };
