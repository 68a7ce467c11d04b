import { AppError, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { editorCopy } from "./editor.copy.ts";

const { failures } = editorCopy;

const REASONS: Readonly<Record<string, string>> = {
  TV001: failures.limit,
  TV061: failures.archived,
  TV065: failures.reward,
  "23503": failures.reward,
  forbidden: failures.forbidden,
  [NETWORK]: failures.network,
};

/** What is wrong with one field, as only the platform could tell. */
const FIELDS = {
  "23505": { field: "name", sentence: failures.name },
  TV066: { field: "slug", sentence: failures.slug },
  TV060: { field: "storeId", sentence: failures.storeArchived },
} as const;

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "";
}

/** The field that a refusal is about, with its sentence; null of one that is about none. */
export function refusedField(error: unknown) {
  const found = Object.entries(FIELDS).find(([code]) => code === codeOf(error));
  return found ? found[1] : null;
}

/** Why a campaign was not saved (specification, section 8). */
export function saveFailure(error: unknown): string {
  if (codeOf(error) === "subscription_closed") return errorMessage(error);
  return failures.update(REASONS[codeOf(error)] ?? failures.unknown);
}
