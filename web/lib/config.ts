import * as z from "zod/mini";
import { operator, unknownOperator } from "#domain/schemas/operator.ts";
import { AppError, NETWORK } from "./app-error.ts";
import { operatorContact } from "./operator-contact.ts";

/** Configuration of this deployment at run time, so that one build serves any. */
const publicConfig = z.object({
  supabase_url: z.url(),
  publishable_key: z.string().check(z.minLength(1)),
  /** Whether it runs in local mode, where additional help is shown. */
  local: z._default(z.boolean(), false),
  /** Slug of the demo shop's campaign, where there is one. */
  demo_slug: z.optional(z.nullable(z.string())),
  /** Whether one may sign in with Google. */
  google: z._default(z.boolean(), false),
  /** Whether codes can be sent to phones: a second way in, and a second factor. */
  phone: z._default(z.boolean(), false),
  /** The proof that one is no robot, where one is asked for. */
  captcha: z._default(
    z.nullable(
      z.object({
        provider: z.enum(["turnstile", "hcaptcha"]),
        site_key: z.string().check(z.minLength(1)),
      }),
    ),
    null,
  ),
  /** Identifiers of the prices at the payment provider; null where subscriptions are off. */
  payments: z._default(
    z.nullable(
      z.object({
        prices: z.object({
          basic: z.object({ monthly: z.string(), yearly: z.string() }),
          pro: z.object({ monthly: z.string(), yearly: z.string() }),
        }),
        test: z.boolean(),
      }),
    ),
    null,
  ),
  /** Public key by which push services identify this installation; null where push messages are off. */
  push_key: z._default(z.nullable(z.string()), null),
  /** Whether Google is asked what stores' public pages show. */
  public_rating: z._default(z.boolean(), false),
  /** Mails are kept at `/_dev/mailbox` instead of being sent. */
  mailbox: z._default(z.boolean(), false),
  /** Operator of the service, for the legal pages. */
  operator: z._default(operator, unknownOperator),
});
export type PublicConfig = z.infer<typeof publicConfig>;

/** Timeout of the request: a page must not stay empty. */
const TIMEOUT_MS = 15_000;

/** Loads the run-time configuration: the first thing of all. */
export async function loadConfig(): Promise<PublicConfig> {
  const response = await fetch("/config.json", { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (cause: unknown) => {
      throw new AppError(NETWORK, { cause });
    },
  );
  if (!response.ok) throw new AppError("config_unavailable", { status: response.status });
  const config = publicConfig.safeParse(await response.json().catch(() => null));
  if (!config.success) throw new AppError("config_invalid", { cause: config.error });
  operatorContact.email = config.data.operator.contact_email;
  return config.data;
}
