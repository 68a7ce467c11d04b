import { AppError, errorMessage } from "../../lib/app-error.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { teamCopy } from "./team.copy.ts";

/** Why a change of the team was refused, and what to do about it. */
export function teamFailure(error: unknown): string | null {
  return error ? errorMessage(error, teamCopy.failures) : null;
}

/**
 * Why the team is not shown; null while it may be. Whoever was removed meanwhile is told so, though what was
 * loaded before still stands there.
 */
export function teamLoadFailure({ error, data }: { error: unknown; data: unknown }): string | null {
  if (!error) return null;
  if (error instanceof AppError && error.code === "forbidden") return teamCopy.loadForbidden;
  return data ? null : loadFailure(error, teamCopy.loadFailed);
}
