import { createHash } from "node:crypto";
import type { App } from "@supabase/lite";
import type { Sql } from "postgres";
import { readBytes } from "./read-bytes.ts";

/** Where Supabase Lite puts the bytes of files. */
type StorageAdapter = NonNullable<App["_storageAdapter"]>;
type Metadata = Required<Omit<Awaited<ReturnType<StorageAdapter["headObject"]>>, "contentRange">>;
type Body = Parameters<StorageAdapter["uploadObject"]>[3];

/** A file as the database keeps it. */
type Row = {
  body: Buffer;
  content_type: string;
  cache_control: string;
  etag: string;
  written_at: Date;
};

/**
 * Bytes of files in the database (`storage.contents`). Its rows go by themselves with those of `storage.objects`, so that
 * deleting is done once the row is gone.
 */
export function createContents(sql: Sql): StorageAdapter {
  const read = async (bucket: string, name: string): Promise<Row> => {
    const [row] = await sql<Row[]>`
      select body, content_type, cache_control, etag, written_at from storage.contents
      where bucket_id = ${bucket} and name = ${name}`;
    if (!row) throw new Error("The file has a row, but no bytes.");
    return row;
  };
  const write = async (bucket: string, name: string, row: Omit<Row, "written_at" | "etag">) => {
    const etag = `"${createHash("sha256").update(row.body).digest("hex").slice(0, 32)}"`;
    const [written] = await sql<Row[]>`
      insert into storage.contents (bucket_id, name, body, content_type, cache_control, etag)
      values (${bucket}, ${name}, ${row.body}, ${row.content_type}, ${row.cache_control}, ${etag})
      on conflict (bucket_id, name) do update set body = excluded.body, content_type = excluded.content_type,
        cache_control = excluded.cache_control, etag = excluded.etag, written_at = now()
      returning body, content_type, cache_control, etag, written_at`;
    if (!written) throw new Error("The file was not written.");
    return metadataOf(written);
  };
  const remove = async (bucket: string, names: readonly string[]) => {
    await sql`delete from storage.contents where bucket_id = ${bucket} and name = any (${names})`;
  };
  return {
    driver: null,
    getObject: async (bucket, name) => {
      const row = await read(bucket, name);
      return { metadata: metadataOf(row), httpStatusCode: 200, body: row.body };
    },
    headObject: async (bucket, name) => metadataOf(await read(bucket, name)),
    uploadObject: async (bucket, name, _version, body, contentType, cacheControl) =>
      write(bucket, name, {
        body: await bytesOf(body),
        content_type: contentType,
        cache_control: cacheControl,
      }),
    copyObject: async (fromBucket, from, _version, toBucket, to) => {
      return write(toBucket, to, await read(fromBucket, from));
    },
    deleteObject: (bucket, name) => remove(bucket, [name]),
    deleteObjects: remove,
    privateAssetUrl: async () => {
      throw new Error("Files of the database have no address of their own.");
    },
  };
}

async function bytesOf(body: Body): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return (await readBytes(body.getReader())) ?? Buffer.alloc(0);
}

function metadataOf({ body, content_type, cache_control, etag, written_at }: Row): Metadata {
  return {
    cacheControl: cache_control,
    contentLength: body.length,
    size: body.length,
    mimetype: content_type,
    lastModified: written_at,
    eTag: etag,
    httpStatusCode: 200,
  };
}
