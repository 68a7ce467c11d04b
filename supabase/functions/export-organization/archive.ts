import { Buffer } from "node:buffer";
import { Readable, Transform } from "node:stream";
import { finished } from "node:stream/promises";
import type { TransactionSql } from "postgres";
import { ZipFile } from "yazl";
import { STALLED_MS } from "../_shared/http/export.ts";
import { exportOrganizationCopy as copy } from "./export-organization.copy.ts";
import { csvOf, type ExportTable, jsonOf } from "./rows.ts";

/** A ZIP on its way: what to send, and when all of it is sent (it fails when nobody takes it any more). */
type Archive = { body: ReadableStream<Uint8Array>; sent: Promise<void> };

/**
 * Packs tables into a ZIP, each as CSV and as JSON, as fast as the reader takes it: one file at a time, and
 * no more of it in memory than a portion.
 */
export function archiveOf(
  sql: TransactionSql,
  tables: readonly ExportTable[],
  day: string,
): Archive {
  const zip = new ZipFile();
  const { gate, stop } = createGate();
  let reading: Readable | undefined;
  const add = (path: string, rows: () => AsyncGenerator<string>) => {
    zip.addReadStreamLazy(path, (take) => {
      reading = Readable.from(rows());
      // Nobody else listens, and an error that nobody hears ends the process.
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
  zip.outputStream.pipe(gate);
  return {
    body: bytesOf(gate),
    sent: finished(gate).finally(() => reading?.destroy()),
  };
}

/** Lets bytes through, and breaks off when none are taken for too long. */
function createGate(): { gate: Transform; stop: (error: Error) => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop(new Error("The client takes nothing any more.")), STALLED_MS);
  };
  const gate = new Transform({
    transform: (chunk, _, done) => {
      wait();
      done(null, chunk);
    },
  });
  const stop = (error: Error) => void gate.destroy(error);
  gate.once("close", () => clearTimeout(timer));
  wait();
  return { gate, stop };
}

/** A stream of Node as the web's, which a `Response` takes. */
function bytesOf(gate: Transform): ReadableStream<Uint8Array> {
  const chunks = gate[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void gate.destroy(new Error("The client has left.")),
  });
}
