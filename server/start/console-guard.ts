import { isDatabaseUnable } from "../../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { ReaderLeft } from "../../supabase/functions/_shared/http/send-to.ts";
import type { Log } from "../log.ts";
import { ReportedFailure } from "../supabase-lite/refusals.ts";

/**
 * Libraries write whole errors to the console, with the values that they were about: a
 * customer's address in « already exists », say. Our log gets their codes instead.
 * (Our own code never writes to the console.)
 */
export function guardConsole(log: Log): void {
  const complain = (...parts: unknown[]) => {
    const error = parts.find((part) => part instanceof Error);
    if (error instanceof ReportedFailure || error instanceof ReaderLeft) return;
    // Whoever watches the database writes that down, once.
    if (isDatabaseUnable(error)) return;
    log({ event: "library_message", level: "error", code: error ? errorCode(error) : "text" });
  };
  const ignore = () => undefined;
  Object.assign(console, {
    error: complain,
    warn: complain,
    info: ignore,
    log: ignore,
    debug: ignore,
    trace: ignore,
  });
}
