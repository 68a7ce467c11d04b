import type { LogoType } from "../domain/schemas/brand-settings.ts";

/** Kind and size that a picture declares, read before anything of it is unpacked. */
export type PictureHeader = { type: LogoType; width: number; height: number };

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Kind and size of a picture, by its contents alone; null for anything else, whatever it is called. Nothing is unpacked
 * for it, so that a small file cannot claim a huge picture's memory.
 */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = pngHeader(view) ?? jpegHeader(view) ?? webpHeader(view);
    return header && header.width > 0 && header.height > 0 ? header : null;
  } catch (error) {
    // It ends before it has said its size.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function pngHeader(view: DataView): PictureHeader | null {
  if (PNG.some((byte, index) => view.getUint8(index) !== byte)) return null;
  if (textAt(view, 12) !== "IHDR") return null;
  return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

/**
 * Scans of a JPEG that is still a picture; encoders make about ten. Each goes over all pixels, though a few bytes may be
 * enough for it: a file of 2 MB with 100,000 of them would keep a processor busy for minutes.
 */
const MAX_SCANS = 64;

function hasTooManyScans(view: DataView): boolean {
  let scans = 0;
  // Data within a scan never looks like the marker that begins one.
  for (let at = 2; at + 1 < view.byteLength; at += 1) {
    if (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xda) scans += 1;
  }
  return scans > MAX_SCANS;
}

/** Walks from one segment to the next until that which opens a frame. */
function jpegHeader(view: DataView): PictureHeader | null {
  if (view.getUint16(0) !== 0xffd8 || hasTooManyScans(view)) return null;
  let at = 2;
  for (;;) {
    const marker = view.getUint16(at);
    if (marker === 0xffff) {
      // Padding before a marker.
      at += 1;
      continue;
    }
    if (marker < 0xffc0) return null;
    const isFrame = marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) {
      return { type: "image/jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + view.getUint16(at + 2);
  }
}

function webpHeader(view: DataView): PictureHeader | null {
  if (textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WEBP") return null;
  const type = "image/webp" as const;
  switch (textAt(view, 12)) {
    case "VP8 ":
      return { type, width: size14(view, 26), height: size14(view, 28) };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { type, width: size24(view, 24), height: size24(view, 27) };
    default:
      return null;
  }
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
}

function size14(view: DataView, at: number): number {
  return view.getUint16(at, true) & 0x3fff;
}

function size24(view: DataView, at: number): number {
  return view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
}
