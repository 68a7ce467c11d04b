import { AuthError } from "../errors.ts";
import type { RouteGroup } from "../route-group.ts";
import { authorize, authorizeLinking } from "./authorize.ts";
import { callback } from "./callback.ts";
import { unlinkIdentity } from "./unlink.ts";

/** Signing in at another house, and the identities that come of it. */
export const oauthRoutes: RouteGroup = (app, deps) => {
  app.get("/authorize", (context) => authorize(context, deps));
  app.on(["GET", "POST"], "/callback", (context) => callback(context, deps));
  app.get("/user/identities/authorize", (context) => authorizeLinking(context, deps));
  app.delete("/user/identities/:identity_id", (context) => unlinkIdentity(context, deps));
  // Enterprise sign-in is answered as by a hosted project that has not switched it on.
  app.all("/sso", () => {
    throw new AuthError(404, "saml_provider_disabled", "SAML 2.0 is disabled");
  });
  app.all("/sso/*", () => {
    throw new AuthError(404, "saml_provider_disabled", "SAML 2.0 is disabled");
  });
};
