import { fillText } from "./fill-text.ts";
import { startupCopy } from "./startup.copy.ts";

/** Every reason for which the server refuses to start. */
export type StartupErrorCode = keyof typeof startupCopy;

/**
 * A refusal to start: one sentence for the person at the terminal, and a code for
 * programs (the text is never matched).
 */
export class StartupError extends Error {
  override readonly name = "StartupError";
  readonly code: StartupErrorCode;

  constructor(
    code: StartupErrorCode,
    details: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions,
  ) {
    super(fillText(startupCopy[code], details), options);
    this.code = code;
  }
}
