import { officeErrorCopy } from "#domain/errors/office-errors.copy.ts";
import { AppError, NETWORK } from "../../lib/app-error.ts";
import { settingsCopy } from "./settings.copy.ts";

const { failures } = settingsCopy;

const SENTENCES: Readonly<Record<string, string>> = {
  [NETWORK]: failures.network,
  forbidden: failures.forbidden,
  subscription_closed: officeErrorCopy.subscription_closed,
  reading_closed: officeErrorCopy.reading_closed,
};

/** Why something was not saved; a card adds the codes that only it knows. */
export function saveFailure(error: unknown, own: Readonly<Record<string, string>> = {}): string {
  const code = error instanceof AppError ? error.code : "";
  return own[code] ?? SENTENCES[code] ?? failures.other;
}
