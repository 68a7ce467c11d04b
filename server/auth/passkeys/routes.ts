import type { RouteGroup } from "../route-group.ts";
import { listOwnPasskeys, removeOwnPasskey, renameOwnPasskey } from "./manage.ts";
import { startRegistration, verifyRegistration } from "./register.ts";
import { startAuthentication, verifyAuthentication } from "./sign-in.ts";

/** Passkeys that sign in, without a password. */
export const passkeyRoutes: RouteGroup = (app, deps) => {
  app.post("/passkeys/authentication/options", (context) => startAuthentication(context, deps));
  app.post("/passkeys/authentication/verify", (context) => verifyAuthentication(context, deps));
  app.post("/passkeys/registration/options", (context) => startRegistration(context, deps));
  app.post("/passkeys/registration/verify", (context) => verifyRegistration(context, deps));
  app.get("/passkeys", (context) => listOwnPasskeys(context, deps));
  app.patch("/passkeys/:passkey_id", (context) => renameOwnPasskey(context, deps));
  app.delete("/passkeys/:passkey_id", (context) => removeOwnPasskey(context, deps));
};
