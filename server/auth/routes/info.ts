import { OTHER_PROVIDERS } from "../oauth/providers.ts";
import type { RouteGroup } from "../route-group.ts";

/** Routes with public facts about the service. */
export const infoRoutes: RouteGroup = (app, { settings, tokens }) => {
  app.get("/health", (context) =>
    context.json({
      version: "v2",
      name: "GoTrue",
      description: "GoTrue is a user registration and authentication API",
    }),
  );

  app.get("/settings", (context) =>
    context.json({
      external: {
        ...Object.fromEntries(OTHER_PROVIDERS.map((provider) => [provider, false])),
        anonymous_users: settings.allowsAnonymous,
        google: settings.google !== null,
        email: true,
        phone: settings.hasPhone,
      },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      sms_provider: settings.hasPhone ? "http" : "",
      saml_enabled: false,
      saml_private_key_next_configured: false,
      passkeys_enabled: true,
    }),
  );

  // A shared secret is no public key: where it alone signs, the set is empty, and clients ask the service instead.
  app.get("/.well-known/jwks.json", (context) =>
    context.json({ keys: tokens.publicKeys() }, 200, { "cache-control": "public, max-age=600" }),
  );
};
