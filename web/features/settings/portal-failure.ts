import { AppError, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.portal;

/** The provider does not know the organisation's customer. */
export const CUSTOMER_MISSING = "customer_missing";

/** No address came back. */
export const NO_URL = "portal_url_missing";

/** What the portal itself refuses; any other refusal is one of the call (specification, section 8). */
const FORBIDDEN_HERE = "billing_forbidden";

/** Sentences of the specification (section 8) that stand for a code as they are. */
const SENTENCES: Readonly<Record<string, string>> = {
  payments_off: copy.notConfigured,
  portal_failed: copy.failed,
  test_customer_failed: copy.testFailed,
  test_customer_not_saved: copy.testNotSaved,
  [NO_URL]: copy.noUrl,
  [NETWORK]: copy.failed,
  unknown: copy.failed,
  internal_error: copy.failed,
};

/** Why the portal did not open. */
export function portalFailure(error: unknown): string {
  if (!(error instanceof AppError)) return copy.failed;
  const sentence = SENTENCES[error.code];
  if (sentence) return sentence;
  const said = errorMessage(error);
  return error.code === FORBIDDEN_HERE ? copy.named(said) : copy.other(said);
}
