import { AppError, CLOSED, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { settingsCopy } from "./settings.copy.ts";

const { failures } = settingsCopy;

const SENTENCES: Readonly<Record<string, string>> = {
  [NETWORK]: failures.network,
  forbidden: failures.forbidden,
};

/** Why something was not saved; a card adds the codes that only it knows. */
export function saveFailure(error: unknown, own: Readonly<Record<string, string>> = {}): string {
  const code = error instanceof AppError ? error.code : "";
  const said = own[code] ?? SENTENCES[code];
  if (said) return said;
  return [...CLOSED, "reading_closed"].includes(code) ? errorMessage(error) : failures.other;
}
