import type { Context } from "hono";
import { z } from "zod";
import { readBody } from "./body.ts";
import type { AuthDeps } from "./deps.ts";
import { AuthError } from "./errors.ts";

/** How long the provider may take; a person waits meanwhile. */
const TIMEOUT_MS = 5_000;

const security = z.looseObject({
  gotrue_meta_security: z.object({ captcha_token: z.string().nullish() }).nullish(),
});

const verdict = z.object({
  success: z.boolean(),
  "error-codes": z.array(z.string()).optional(),
});

/** Has the provider check the captcha token of a call; without a provider every call passes. */
export async function checkCaptcha(context: Context, deps: AuthDeps): Promise<void> {
  const { captcha } = deps.settings;
  if (captcha === null) return;
  const body = await readBody(context, security);
  const token = body.gotrue_meta_security?.captcha_token?.trim();
  if (!token) throw refused("no captcha_token found");
  const answer = await ask(deps, captcha, token);
  if (!answer.success) throw refused((answer["error-codes"] ?? ["invalid-response"]).join(", "));
}

async function ask(
  { fetch, log }: AuthDeps,
  { url, secret }: NonNullable<AuthDeps["settings"]["captcha"]>,
  token: string,
): Promise<z.infer<typeof verdict>> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: new URLSearchParams({ secret, response: token }),
      // The secret goes to the address of the configuration and nowhere else.
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return verdict.parse(await response.json());
  } catch {
    // Refusal when the provider is unreachable: otherwise an outage would disable the check.
    log({ event: "captcha_failed" });
    throw new AuthError(500, "unexpected_failure", "captcha verification process failed");
  }
}

function refused(reason: string): AuthError {
  return new AuthError(400, "captcha_failed", `captcha protection: request disallowed (${reason})`);
}
