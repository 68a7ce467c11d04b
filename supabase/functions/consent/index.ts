import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `consent`. Its SQL: `consent_organizer`. */
export default { fetch: standalone(handler) };
