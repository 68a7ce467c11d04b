import type { RouteGroup } from "../route-group.ts";
import { factorRoutes } from "./factors.ts";
import { linkRoutes } from "./links.ts";
import { adminPasskeyRoutes } from "./passkeys.ts";
import { adminUserRoutes } from "./users.ts";

/** What the operator alone may do, with the secret key: the hosted platform's administration of accounts. */
export const adminRoutes: RouteGroup = (app, deps) => {
  adminUserRoutes(app, deps);
  factorRoutes(app, deps);
  adminPasskeyRoutes(app, deps);
  linkRoutes(app, deps);
};
