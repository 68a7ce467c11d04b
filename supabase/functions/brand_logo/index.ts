import { standalone } from "../_shared/http/standalone.ts";
import { encodeLogo } from "../_shared/images/encode-logo.ts";
import { handler } from "./handler.ts";

/** Endpoint `brand_logo`. Its SQL: `begin_brand_logo`, `set_brand_logo` and `stale_logo_files`. */
export default {
  fetch: standalone(handler, {
    // An instance serves few requests at once: a logo is encoded where it is.
    encodeLogo: (bytes, type) => encodeLogo(bytes, type).catch(() => null),
  }),
};
