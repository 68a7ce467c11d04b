import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";

/** One document in the encodings that browsers take. */
export type Encoded = { identity: Buffer; gzip: Buffer | null; br: Buffer | null };

/** Name of an encoding, as `content-encoding` writes it. */
export type Encoding = keyof Encoded;

/** A document that is made during a request: quick settings, which lose little on small pages. */
export function encodeQuickly(identity: Buffer): Encoded {
  return {
    identity,
    gzip: gzipSync(identity, { level: 6 }),
    br: brotliCompressSync(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
  };
}

/** A document that is made once and read often: as small as possible, without delaying other requests. */
export async function encodeWell(identity: Buffer): Promise<Encoded> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
    promisify(gzip)(identity, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { identity, gzip: gz, br };
}

/** The best encoding that a client takes and the document has. */
export function chooseEncoding(accepted: string | undefined, document: Encoded): Encoding {
  if (accepted === undefined || accepted === "") return "identity";
  if (document.br && accepts(accepted, "br")) return "br";
  if (document.gzip && accepts(accepted, "gzip")) return "gzip";
  return "identity";
}

function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((entry) => {
    const [name = "", quality = ""] = entry.split(";");
    return name.trim() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(quality);
  });
}
