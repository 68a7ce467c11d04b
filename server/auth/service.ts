import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { isDatabaseUnable } from "../../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { isSameText } from "../../supabase/functions/_shared/http/same-text.ts";
import { adminRoutes } from "./admin/routes.ts";
import type { AuthDeps } from "./deps.ts";
import { AuthError, answerError, UNEXPECTED } from "./errors.ts";
import { mfaRoutes } from "./mfa/routes.ts";
import { answerOAuthRefusal, OAuthRefusal } from "./oauth/oauth-refusal.ts";
import { oauthRoutes } from "./oauth/routes.ts";
import { passkeyRoutes } from "./passkeys/routes.ts";
import type { RouteGroup } from "./route-group.ts";
import { infoRoutes } from "./routes/info.ts";
import { messageRoutes } from "./routes/messages.ts";
import { signUpRoutes } from "./routes/sign-up.ts";
import { tokenRoutes } from "./routes/token.ts";
import { userRoutes } from "./routes/user.ts";
import { verifyRoutes } from "./routes/verify.ts";

/** Base path of the service, as on a hosted project. */
const BASE_PATH = "/auth/v1";

/** Paths that a browser comes to by following a link, without the client library's key. */
const OPEN_PATHS = new Set(["/verify", "/authorize", "/callback", "/.well-known/jwks.json"]);

const GROUPS: readonly RouteGroup[] = [
  infoRoutes,
  signUpRoutes,
  mfaRoutes,
  passkeyRoutes,
  oauthRoutes,
  tokenRoutes,
  messageRoutes,
  verifyRoutes,
  userRoutes,
  adminRoutes,
];

/** The authentication service: the hosted platform's protocol on the tables of schema `auth`. */
export function createAuthService(deps: AuthDeps): Hono {
  const app = new Hono().basePath(BASE_PATH);
  app.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
      allowHeaders: [
        "accept",
        "authorization",
        "apikey",
        "content-type",
        "x-client-info",
        "x-supabase-api-version",
      ],
      exposeHeaders: [
        "x-supabase-api-version",
        "x-sb-error-code",
        "x-request-id",
        "retry-after",
        "x-total-count",
        "link",
      ],
      maxAge: 600,
    }),
  );
  app.use(async (context, next) => {
    checkKey(context, deps);
    await next();
    if (!context.res.headers.has("cache-control")) context.header("cache-control", "no-store");
  });
  for (const group of GROUPS) group(app, deps);
  app.notFound((context) =>
    answerError(context, new AuthError(404, "not_found", "Requested path is invalid")),
  );
  app.onError((error, context) => {
    if (error instanceof AuthError) return answerError(context, error);
    if (error instanceof OAuthRefusal) return answerOAuthRefusal(context, error);
    // Answered in one way for all services (`server/http/unavailable.ts`).
    if (isDatabaseUnable(error)) throw error;
    const requestId = context.req.header("x-request-id");
    deps.log({ event: "auth_failed", code: errorCode(error), ...(requestId && { requestId }) });
    return answerError(context, UNEXPECTED);
  });
  return app;
}

/** Every call needs the project's key, which says that the client belongs to this project. */
function checkKey(context: Context, { secrets }: AuthDeps): void {
  if (OPEN_PATHS.has(context.req.path.slice(BASE_PATH.length))) return;
  const key = context.req.header("apikey") ?? context.req.query("apikey");
  if (key === undefined) {
    throw new AuthError(401, "no_authorization", "No API key found in request");
  }
  if (!isSameText(key, secrets.publishableKey) && !isSameText(key, secrets.secretKey)) {
    throw new AuthError(401, "no_authorization", "Invalid API key");
  }
}
