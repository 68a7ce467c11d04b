import { errorMessage, functionError } from "../../lib/app-error.ts";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.portal;

/** Why the portal did not open (specification, section 8), from the error of the client library. */
export async function portalFailure(error: { context?: unknown }): Promise<string> {
  const failure = await functionError(error);
  if (failure.code === "payments_off") return copy.notConfigured;
  if (["billing_forbidden", "customer_missing"].includes(failure.code)) {
    return copy.named(errorMessage(failure));
  }
  return copy.failed;
}
