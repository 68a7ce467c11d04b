import { PRESENCE_STEP_S } from "#domain/rules/constants.ts";
import type { ShownBoard } from "./presence.queries.ts";

const STEP_MS = PRESENCE_STEP_S * 1000;

/** The code at a moment of the page's own clock, and how long it is shown; null once those that were fetched are over. */
export function codeNow(
  { at, turns_in_ms }: Pick<ShownBoard, "at" | "turns_in_ms">,
  codes: readonly string[],
  now: number,
): { code: string; secondsLeft: number } | null {
  const sinceStep = now - at + STEP_MS - turns_in_ms;
  const code = codes[Math.floor(sinceStep / STEP_MS)];
  if (code === undefined) return null;
  return { code, secondsLeft: Math.ceil((STEP_MS - (sinceStep % STEP_MS)) / 1000) };
}
