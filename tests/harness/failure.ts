import { stripVTControlCharacters } from "node:util";

/** How much of a failure the list at the end of a run shows, in characters: the log above it may be cut off. */
const MAX_LENGTH = 1_500;

/** Text of a property of an error; empty where it has none. */
function text(error: unknown, property: "message" | "diff"): string {
  const isThere = typeof error === "object" && error !== null && property in error;
  const value: unknown = isThere ? Reflect.get(error, property) : undefined;
  return typeof value === "string" ? stripVTControlCharacters(value).trim() : "";
}

/**
 * Text of a failure for the list at the end of a run: the message, and the beginning of the
 * difference between expected and actual. It has no colours, and each further line is indented.
 */
export function tellFailure(error: unknown): string {
  const message = text(error, "message") || stripVTControlCharacters(String(error));
  const diff = text(error, "diff");
  const whole = diff === "" ? message : `${message}\n${diff}`;
  const shown = whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH)}…` : whole;
  return shown.replaceAll("\n", "\n    ");
}
