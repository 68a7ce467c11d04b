import { errorCode } from "../supabase/functions/_shared/http/error-code.ts";

/** One line of the log: a short code for what happened, and facts without personal data. */
export type LogLine = {
  event: string;
  level?: "info" | "error";
  [fact: string]: string | number | undefined;
};

/** Writes lines to the log. */
export type Log = {
  (line: LogLine): void;
  /** Writes at once what is still held back. */
  flush(): void;
};

/** Logs an error by its code. */
export function logFailure(log: Log, event: string, error: unknown): void {
  log({ event, level: "error", code: errorCode(error) });
}

const FLUSH_MS = 50;
const FLUSH_CHARACTERS = 32_768;

/**
 * Makes a log: JSON for machines (one object a line), or compact lines for the person at the
 * terminal. Lines are written in handfuls: a write for each request would cost more than
 * many a request.
 */
export function createLog(
  format: "json" | "compact",
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Log {
  const asText = format === "json" ? jsonLine : compactLine;
  let held = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (held === "") return;
    const text = held;
    held = "";
    write(text);
  };
  const log = (line: LogLine) => {
    held += asText(line, new Date());
    if (held.length > FLUSH_CHARACTERS) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
  };
  return Object.assign(log, { flush });
}

function jsonLine({ level = "info", ...facts }: LogLine, now: Date): string {
  return `${JSON.stringify({ time: now.toISOString(), level, ...facts })}\n`;
}

function compactLine({ event, level, ...facts }: LogLine, now: Date): string {
  const time = now.toLocaleTimeString("fr-FR");
  if (event === "request") {
    return `${time}  ${facts.method} ${facts.route} ${facts.status} ${facts.milliseconds} ms\n`;
  }
  const rest = Object.entries(facts).map(([name, value]) => `${name}=${value}`);
  return `${time}  ${level === "error" ? "! " : ""}${[event, ...rest].join(" ")}\n`;
}
