import type { Sql } from "postgres";
import { LOGO_BUCKET } from "#domain/schemas/brand.ts";
import { LOGO_MAX_BYTES, UPLOAD_BUCKET } from "#domain/schemas/brand-settings.ts";
import { PageCache } from "../http/page-cache.ts";
import { IMMUTABLE } from "../http/send.ts";
import type { Platform } from "./platform.ts";
import { readBytes } from "./read-bytes.ts";

/** Answers `storage/v1`. */
export type Storage = (request: Request) => Promise<Response>;

type StorageOptions = {
  sql: Sql;
  /** Comes a moment after the server: its library loads in the background. */
  platform: Promise<Platform>;
};

const PREFIX = "/storage/v1/object/";
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** A logo of an organisation, for everybody. */
const LOGO = new RegExp(
  `^${PREFIX}public/${LOGO_BUCKET}/(${UUID}/[0-9a-f]{32}(?:-print)?\\.webp)$`,
);

/** A picture on its way to become one. */
const UPLOAD = new RegExp(`^${PREFIX}${UPLOAD_BUCKET}/${UUID}/${UUID}$`);

/** A removed file stays in caches no longer than that. */
const LIFETIME_MS = 900;

/** Files kept at hand; one weighs eight kilobytes, and those for paper, which few ask for, 200. */
const CAPACITY = 100;

/**
 * The storage takes and gives what this product needs, and nothing else: a picture on its way in, a logo on its way out.
 * What else its protocol knows (lists, signed addresses, buckets …) is not there from outside, whatever a policy says.
 *
 * Logos are read straight from the database, and kept for less than a second: the library would update a row at each
 * read, and all the customers in front of one code would wait for it.
 */
export function createStorage({ sql, platform }: StorageOptions): Storage {
  const logos = new PageCache<Buffer | null>({
    read: (name) => readLogo(sql, name),
    lifetimeMs: LIFETIME_MS,
    capacity: CAPACITY,
  });
  return async (request) => {
    const { pathname } = new URL(request.url);
    const { method } = request;
    const logo = LOGO.exec(pathname)?.[1];
    if (logo !== undefined && (method === "GET" || method === "HEAD")) {
      const bytes = await logos.get(logo);
      return bytes === null ? refusal(404, "not_found", "Object not found") : picture(bytes);
    }
    if (UPLOAD.test(pathname) && method === "POST") {
      const body = await readBounded(request);
      if (body === null) return refusal(413, "Payload too large", "The object is too large");
      const upload = () => new Request(request.url, { method, headers: request.headers, body });
      if (!(await isForm(upload())))
        return refusal(400, "invalid_request", "The form is not valid");
      return (await platform).storage(upload());
    }
    if (UPLOAD.test(pathname) && method === "OPTIONS") return (await platform).storage(request);
    return refusal(404, "not_found", "Object not found");
  };
}

/** Bytes of a published logo; null when there is none of this name. */
export async function readLogo(sql: Sql, name: string): Promise<Buffer | null> {
  const [row] = await sql<{ body: Buffer }[]>`
    select c.body from storage.contents c
    join storage.objects o on o.bucket_id = c.bucket_id and o.name = c.name
    where c.bucket_id = ${LOGO_BUCKET} and c.name = ${name}`;
  return row?.body ?? null;
}

/** Whether a body that says that it is a form is one: the library fails at others instead of refusing them. */
async function isForm(request: Request): Promise<boolean> {
  if (!/^multipart\//i.test(request.headers.get("content-type") ?? "")) return true;
  return request.formData().then(
    () => true,
    () => false,
  );
}

/** The body, if it is no larger than a picture may be, whatever the headers say. */
async function readBounded(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  const said = Number(request.headers.get("content-length") ?? 0);
  if (said > LOGO_MAX_BYTES || !request.body) return null;
  const bytes = await readBytes(request.body.getReader(), LOGO_MAX_BYTES);
  return bytes && new Uint8Array(bytes);
}

function picture(bytes: Buffer): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": "image/webp",
      "content-length": String(bytes.length),
      "cache-control": IMMUTABLE,
      // Pages of a static deployment are on another host.
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
    },
  });
}

/** A refusal in the form that the storage gives its own. */
function refusal(status: number, error: string, message: string): Response {
  return Response.json(
    { statusCode: String(status), error, message },
    // The rest of the body stays unread: the connection cannot serve another request.
    {
      status,
      headers: { "cache-control": "no-store", ...(status === 413 && { connection: "close" }) },
    },
  );
}
