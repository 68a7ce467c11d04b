import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { chooseEncoding, type Encoded } from "./encoding.ts";

/** A finished document: its bytes and what describes them. */
export type Document = {
  status: number;
  type: string;
  cacheControl: string;
  etag: string;
  body: Encoded;
  /** Content security policy where it differs from the usual one. */
  policy?: string;
  /** Request headers on which it depends, beside the encoding. */
  vary?: string;
};

/** Kept for ever: the name changes with the content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** Kept, but asked after each time: the answer is mostly « unchanged ». */
export const REVALIDATE = "no-cache";

/** Mark of a content; weak, since the same content travels in several encodings. */
export function etagOf(content: Buffer): string {
  return `W/"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

/** Answers with a document, in the client's best encoding, or with « unchanged ». */
export function sendDocument(
  incoming: IncomingMessage,
  response: ServerResponse,
  document: Document,
): void {
  const { body, etag, cacheControl } = document;
  const vary =
    document.vary === undefined ? "accept-encoding" : `accept-encoding, ${document.vary}`;
  if (document.policy !== undefined) {
    response.setHeader("content-security-policy", document.policy);
  }
  if (document.status === 200 && matches(incoming.headers["if-none-match"], etag)) {
    response.writeHead(304, { etag, "cache-control": cacheControl, vary });
    response.end();
    return;
  }
  const encoding = chooseEncoding(incoming.headers["accept-encoding"], body);
  const bytes = body[encoding] ?? body.identity;
  response.writeHead(document.status, {
    "content-type": document.type,
    "content-length": bytes.length,
    "cache-control": cacheControl,
    etag,
    vary,
    ...(encoding !== "identity" && { "content-encoding": encoding }),
  });
  response.end(incoming.method === "HEAD" ? undefined : bytes);
}

/** Sends the client elsewhere on this site. */
export function sendRedirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, "cache-control": "no-store", "content-length": 0 });
  response.end();
}

/** How much of an unwanted body is still read, in bytes: more than the proxies of `deploy` hand on. */
const LINGER_BYTES = 4_000_000;

/** How long it is taken, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * Answers a request whose body, if it has one, stays unread: its connection cannot serve another. What its client still writes
 * is taken for a while, since a proxy that meets a closed connection has lost the answer as well.
 */
export async function sendUnread(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    "content-length": body.length,
    connection: "close",
  });
  response.write(body);
  await drain(response.req);
  response.end();
}

/** Takes the rest of a body, within limits, and drops it. */
function drain(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, LINGER_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    incoming.once("end", done).once("close", done);
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LINGER_BYTES) done();
    });
    if (incoming.complete && incoming.readableLength === 0) done();
  });
}

function matches(header: string | undefined, etag: string): boolean {
  return header?.split(",").some((candidate) => candidate.trim() === etag) ?? false;
}
