import type { Context } from "hono";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import type { AuthDeps } from "./deps.ts";
import { AuthError } from "./errors.ts";
import { OAuthRefusal } from "./oauth/oauth-refusal.ts";
import { ProviderRefusal } from "./oauth/refusal-facts.ts";

/** How a person tried to sign in, or to prove more: a grant, or what was followed, typed or answered. */
export type SignInMethod =
  | "password"
  | "refresh_token"
  | "pkce"
  | "id_token"
  | "web3"
  | "anonymous"
  | "link"
  | "code"
  | "oauth"
  | "passkey"
  | `factor/${"totp" | "phone" | "webauthn"}`;

type Outcome = Pick<AuthDeps, "log">;

/** Writes down an attempt with its outcome: `ok`, or the code of its refusal. It does not say who it was. */
export function logSignIn(
  context: Context,
  { log }: Outcome,
  method: SignInMethod,
  code: string,
): void {
  const requestId = context.req.header("x-request-id");
  log({ event: "sign_in", level: "info", method, code, ...(requestId && { requestId }) });
}

/** Carries out a sign-in, and logs how it ended. */
export async function logged<T>(
  context: Context,
  deps: Outcome,
  method: SignInMethod,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await work();
    logSignIn(context, deps, method, "ok");
    return answer;
  } catch (error) {
    logSignIn(context, deps, method, signInCode(error));
    throw error;
  }
}

/** Code under which a failed attempt is logged. */
export function signInCode(error: unknown): string {
  if (error instanceof AuthError) return error.code;
  // The reason that a provider or a client names is foreign text and may hold anything.
  if (error instanceof OAuthRefusal) return "oauth_refused";
  if (error instanceof ProviderRefusal) return "provider_refused";
  return errorCode(error);
}
