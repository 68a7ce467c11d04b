import { Buffer } from "node:buffer";
import { PassThrough, Readable } from "node:stream";
import type { TransactionSql } from "postgres";
import { ZipFile } from "yazl";
import { exportOrganizationCopy as copy } from "./export-organization.copy.ts";
import { csvOf, type ExportTable, jsonOf } from "./rows.ts";

/** Least of nine levels, at a third of the usual one's work: a hosted function has two seconds of processor for the whole file. */
const COMPRESSION = 1;

/**
 * Packs tables into a ZIP, each as CSV and as JSON, as fast as its parts are taken: one file at a time, and no more of
 * it in memory than a portion.
 */
export async function* archiveOf(
  sql: TransactionSql,
  tables: readonly ExportTable[],
  day: string,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const packed = new PassThrough();
  const stop = (error: Error) => void packed.destroy(error);
  let reading: Readable | undefined;
  let isOver = false;
  const add = (path: string, rows: () => AsyncGenerator<string>) => {
    zip.addReadStreamLazy(path, { compressionLevel: COMPRESSION }, (take) => {
      if (isOver) return;
      reading = Readable.from(rows());
      // There is no other listener, and an error without one ends the process.
      reading.on("error", stop);
      take(null, reading);
    });
  };
  const names = tables.map(({ name }) => copy.files[name] ?? name);
  zip.addBuffer(Buffer.from(copy.explain(day, names)), copy.readme);
  for (const [index, table] of tables.entries()) {
    add(`csv/${names[index]}.csv`, () => csvOf(sql, table));
    add(`json/${names[index]}.json`, () => jsonOf(sql, table));
  }
  zip.end();
  zip.on("error", stop);
  zip.outputStream.pipe(packed);
  try {
    yield* packed;
  } finally {
    isOver = true;
    if (reading) await stopped(reading);
  }
}

/**
 * End of the reading of a table, waited for: a question that came after its transaction would be asked in the next one of the
 * same connection.
 */
function stopped(reading: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (reading.closed) return resolve();
    reading.once("close", resolve);
    reading.destroy();
  });
}
