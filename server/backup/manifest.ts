import { z } from "zod";

/**
 * Format of a backup file: a ZIP with each table's rows as PostgreSQL's `COPY` writes them (text
 * format, UTF-8), then `manifest.json`, which describes them, then the sealed secrets (decision
 * 068).
 */
export const FORMAT = 1;

export const MANIFEST_ENTRY = "manifest.json";
export const SECRETS_ENTRY = "secrets.sealed";

const tableManifest = z.object({
  schema: z.string(),
  name: z.string(),
  /** Columns of the rows, in their order; generated ones are computed anew. */
  columns: z.array(z.string()).min(1),
  entry: z.string(),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string().length(64),
});

/** One table of a backup. */
export type TableManifest = z.infer<typeof tableManifest>;

const sequenceManifest = z.object({
  schema: z.string(),
  name: z.string(),
  /** As text: a sequence counts further than a number of JavaScript. */
  value: z.string().regex(/^-?\d+$/),
  isCalled: z.boolean(),
});

/** A sequence and its current value. */
export type SequenceManifest = z.infer<typeof sequenceManifest>;

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  product: z.string(),
  createdAt: z.iso.datetime(),
  /** Version of the server that the rows were read from, such as « 18.4 ». */
  postgres: z.string(),
  /** The schema: its migrations, with the checksum of what the database was given (null where another tool split it). */
  migrations: z
    .array(
      z.object({
        version: z.string().regex(/^\d{14}$/),
        sha256: z.string().length(64).nullable(),
      }),
    )
    .min(1),
  tables: z.array(tableManifest),
  sequences: z.array(sequenceManifest),
});

/** Description of a backup, as the file holds it. */
export type Manifest = z.infer<typeof manifestSchema>;
