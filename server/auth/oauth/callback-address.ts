import type { AuthDeps } from "../deps.ts";
import { issuerOf } from "../tokens.ts";

/** Where the provider sends people back to: this address is registered in its settings. */
export function callbackOf(deps: Pick<AuthDeps, "settings">): string {
  return `${issuerOf(deps)}/callback`;
}
