import type { Context } from "hono";
import { bearerToken } from "../../../supabase/functions/_shared/http/bearer.ts";
import { isSameText } from "../../../supabase/functions/_shared/http/same-text.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import { verifyAccessToken } from "../tokens.ts";

type AdminDeps = Pick<AuthDeps, "now" | "secrets" | "settings" | "tokens">;

/**
 * Requires the operator, who presents the secret key. As at a hosted project's gateway the key counts as the
 * bearer's token, or where there is no token at all.
 */
export async function requireAdmin(context: Context, deps: AdminDeps): Promise<void> {
  const token = bearerToken(context.req.raw);
  if (token === null) {
    if (comesWithSecretKey(context, deps)) return;
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  if (isSameText(token, deps.secrets.secretKey)) return;
  const isKnown =
    isSameText(token, deps.secrets.publishableKey) ||
    (await verifyAccessToken(deps, token)) !== null;
  if (isKnown) throw new AuthError(403, "not_admin", "User not allowed");
  throw new AuthError(403, "bad_jwt", "invalid JWT: unable to parse or verify signature");
}

/** Whether a request names the secret key as its project's key, whosever token it carries. */
export function comesWithSecretKey(context: Context, { secrets }: AdminDeps): boolean {
  return isSameText(context.req.header("apikey") ?? "", secrets.secretKey);
}
