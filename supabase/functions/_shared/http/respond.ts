import { errorCopy } from "../domain/errors/errors.copy.ts";
import { type ErrorCode, type ErrorDetails, errorStatus } from "../domain/errors/errors.ts";
import { typeset } from "../domain/text/typeset.ts";

/**
 * The functions answer any origin: they carry no cookie and no authority but what the
 * caller sends, and a statically deployed front end lives on another host.
 */
const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, apikey, content-type, x-client-info",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  // Without it a page of another host cannot read when to try again, nor what a file is called.
  "access-control-expose-headers": "retry-after, content-disposition, x-request-id",
  "access-control-max-age": "86400",
};

const JSON_HEADERS = {
  ...CORS_HEADERS,
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
};

/** Answers a value as JSON. */
export function json(value: unknown, status = 200): Response {
  return rawJson(JSON.stringify(value), status);
}

/** Answers a text that is JSON already, byte for byte. */
export function rawJson(text: string, status = 200): Response {
  return new Response(text, { status, headers: JSON_HEADERS });
}

/** Answers a file that is whole already. */
export function file(bytes: Uint8Array, { type, name }: { type: string; name: string }): Response {
  return streamFile(new Blob([new Uint8Array(bytes)]).stream(), { type, name });
}

/** Answers a file, as its parts come. */
export function streamFile(
  body: ReadableStream<Uint8Array>,
  { type, name }: { type: string; name: string },
): Response {
  return new Response(body, {
    headers: {
      ...CORS_HEADERS,
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}

/** Leads to a page. */
export function redirect(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { ...CORS_HEADERS, "cache-control": "no-store", location },
  });
}

/** Answers that it is done and there is nothing to say. */
export function noContent(): Response {
  return new Response(null, { status: 204, headers: CORS_HEADERS });
}

/** Parts of a refusal besides its code. */
export type RefusalOptions = {
  details?: ErrorDetails;
  /** Seconds after which it makes sense to try again: sent as `Retry-After`. */
  retryAfter?: number;
  /** Fills `{detail}` of the sentence. */
  detail?: string;
};

/** Seconds until a moment, as `retryAfter` says them; a minute where it is unknown. */
export function secondsUntil(moment: Date | null, now: Date): number {
  if (moment === null) return 60;
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}

/** Answers a refusal: `{ "error": { "code", "message", "details"? } }` with the status of the code. */
export function refuse(code: ErrorCode, options: RefusalOptions = {}): Response {
  const { details, retryAfter, detail } = options;
  // A phone shows the sentence as it comes.
  const message = typeset(errorCopy[code].replace("{detail}", detail ?? ""));
  const headers = new Headers(JSON_HEADERS);
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  return new Response(JSON.stringify({ error: { code, message, ...(details && { details }) } }), {
    status: errorStatus[code],
    headers,
  });
}
