import type { Context } from "hono";

/** A refusal in the words of OAuth, which the platform uses for some grants: always a 400. */
export class OAuthRefusal extends Error {
  readonly error: string;
  readonly description: string;

  constructor(error: string, description: string) {
    super(description);
    this.name = "OAuthRefusal";
    this.error = error;
    this.description = description;
  }
}

/** Response of a refusal. */
export function answerOAuthRefusal(context: Context, refusal: OAuthRefusal): Response {
  context.header("cache-control", "no-store");
  return context.json({ error: refusal.error, error_description: refusal.description }, 400);
}
