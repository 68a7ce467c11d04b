import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.portal;

/** Why the portal did not open (specification, section 8), from the error of the client library. */
export async function portalFailure(_error: { context?: unknown }): Promise<string> {
  return copy.failed;
}
