import { crc32, deflateSync } from "node:zlib";
import encodeJpeg, { init as initJpegEncoder } from "@jsquash/jpeg/encode.js";
import { readPackageFile } from "../../supabase/functions/_shared/images/package-file.ts";

/** Pictures to upload, drawn by the tests themselves. */

type Bytes = Uint8Array<ArrayBuffer>;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A PNG of so many pixels, in one colour with a white middle; `chunks` stand before its pixels. */
export function png(
  width: number,
  height: number,
  {
    color = [200, 30, 60],
    chunks = {},
  }: { color?: number[]; chunks?: Record<string, string> } = {},
): Bytes {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isMiddle = Math.hypot(x - width / 2, y - height / 2) < height / 4;
      rows.set(isMiddle ? [255, 255, 255] : color, y * (width * 3 + 1) + 1 + x * 3);
    }
  }
  return framed(width, height, rows, chunks);
}

/** A PNG that knows transparency, of pixels with red, green, blue and alpha. */
export function transparentPng({
  data,
  width,
  height,
}: {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}): Bytes {
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    rows.set(data.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  }
  return framed(width, height, rows, {}, 6);
}

/** A PNG of a few kilobytes that says it is as large as its header: its pixels are all alike. */
export function bomb(width: number, height: number): Bytes {
  return framed(width, height, Buffer.alloc((width * 3 + 1) * 100), {});
}

function framed(
  width: number,
  height: number,
  rows: Buffer,
  chunks: Record<string, string>,
  /** As the format counts them: 2 without transparency, 6 with. */
  colors: 2 | 6 = 2,
): Bytes {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, colors], 8);
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      chunk("IHDR", header),
      ...Object.entries(chunks).map(([type, text]) => chunk(type, Buffer.from(text, "latin1"))),
      chunk("IDAT", deflateSync(rows)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

/** A photograph as a telephone takes it: with the place and the hour in its metadata. */
export async function photograph(width: number, height: number, note: string): Promise<Bytes> {
  const wasm = await readPackageFile("@jsquash/jpeg/encode.js", "codec/enc/mozjpeg_enc.wasm");
  await initJpegEncoder(await WebAssembly.compile(wasm));
  const data = new Uint8ClampedArray(width * height * 4);
  for (let index = 0; index < data.length; index += 1) data[index] = (index * 7) % 256;
  const picture = Buffer.from(await encodeJpeg({ data, width, height, colorSpace: "srgb" }));
  const text = Buffer.from(`Exif\0\0${note}`, "latin1");
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe1);
  segment.writeUInt16BE(text.length + 2, 2);
  return new Uint8Array(
    Buffer.concat([picture.subarray(0, 2), segment, text, picture.subarray(2)]),
  );
}
