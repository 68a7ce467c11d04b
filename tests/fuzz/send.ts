import { Agent, request } from "node:http";

/** A request as its bytes go out: unlike with `fetch`, an invalid path is sent as it is. */
type RawRequest = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

/** Answer of the server, unparsed. */
export type RawAnswer = { status: number; contentType: string; text: string };

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Timeout of a response, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Characters that a path may not hold on the wire; they are percent-encoded. */
const UNSENDABLE = /[^\u0021-\u007e]/gu;

/** Sends a request, over one connection; rejects when none answers. */
export function send(
  origin: string,
  { method, path, headers, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const bytes = body === null ? undefined : Buffer.from(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path: path.replace(UNSENDABLE, (character) =>
          encodeURIComponent(Buffer.from(character).toString()),
        ),
        headers: { ...headers, ...(bytes && { "content-length": String(bytes.length) }) },
        timeout: TIMEOUT_MS,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers["content-type"] ?? "",
            text: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}
