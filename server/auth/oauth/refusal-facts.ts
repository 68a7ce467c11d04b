import { errorCode } from "../../../supabase/functions/_shared/http/error-code.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, UNEXPECTED } from "../errors.ts";
import { OAUTH_ERRORS } from "../redirects.ts";

/** Refusals that mean « not you », whatever their status. */
const DENIALS = ["signup_disabled", "user_banned", "provider_email_needs_verification"];

/** Refusal with the reason that the provider itself gave. */
export class ProviderRefusal extends Error {
  readonly facts: Record<string, string>;

  constructor(error: string, description: string) {
    super(error);
    this.facts = { error, ...(description && { error_description: description }) };
  }
}

/** A refusal as the page reads it from its address. */
export function factsOf(deps: Pick<AuthDeps, "log">, error: unknown): Record<string, string> {
  if (error instanceof ProviderRefusal) return error.facts;
  if (!(error instanceof AuthError)) deps.log({ event: "auth_failed", code: errorCode(error) });
  const { status, code, message } = error instanceof AuthError ? error : UNEXPECTED;
  const name = DENIALS.includes(code) ? "access_denied" : (OAUTH_ERRORS[status] ?? "server_error");
  return { error: name, error_code: code, error_description: message };
}
