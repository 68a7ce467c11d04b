import { createHash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";

const NEWLINE = 0x0a;

/**
 * Measure of the rows that passed: a row of `COPY`'s text format is a line, since it escapes line
 * breaks within values.
 */
export type Measured = { rows: number; bytes: number; sha256: string };

/** Lets the rows of a table through, and measures them. */
export class CopyMeter extends Transform {
  readonly #hash = createHash("sha256");
  readonly #onBytes: (bytes: number) => void;
  #rows = 0;
  #bytes = 0;

  constructor(onBytes: (bytes: number) => void = () => undefined) {
    super();
    this.#onBytes = onBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      this.#rows += 1;
    }
    this.#onBytes(chunk.length);
    done(null, chunk);
  }

  /** Everything that went through; asked once, at the end. */
  measured(): Measured {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}
