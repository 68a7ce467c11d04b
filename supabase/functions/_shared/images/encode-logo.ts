import decodeJpeg, { init as initJpeg } from "@jsquash/jpeg/decode.js";
import decodePng, { init as initPng } from "@jsquash/png/decode.js";
import resize, { initResize } from "@jsquash/resize";
import decodeWebp, { init as initWebpDecoder } from "@jsquash/webp/decode.js";
import encodeWebp, { init as initWebpEncoder } from "@jsquash/webp/encode.js";
import type { LogoType } from "../domain/schemas/brand-settings.ts";
import { isLostOnPaper, onPlate } from "./logo-ground.ts";
import { readPackageFile } from "./package-file.ts";
import { averaged, hasMoreColors } from "./pixels.ts";

/** A logo as it is published: pixels alone, whatever else the picture carried. */
export type EncodedLogo = {
  /** For pages. */
  screen: Uint8Array<ArrayBuffer>;
  /** For paper. */
  print: Uint8Array<ArrayBuffer>;
  /** Size of the one for pages, in pixels. */
  width: number;
  height: number;
};

/** Box that a rendition fits into, and its greatest weight. */
type Rendition = { width: number; height: number; bytes: number };

/** Twice the 192 × 64 points of a phone page's head. */
const SCREEN: Rendition = { width: 384, height: 128, bytes: 8 * 1024 };

/** 100 mm at 300 dots an inch. */
const PRINT: Rendition = { width: 1200, height: 600, bytes: 200 * 1024 };

/** From the best to the least that is still a logo; then it becomes smaller. */
const QUALITIES = [90, 75, 60, 40] as const;

/** Most colours of a drawing. Packed without loss, a photograph takes a second of processor, and is too heavy in the end. */
const DRAWN_COLORS = 4096;

/** Compiled code of each codec, from the module above that uses it. */
export const CODECS = {
  jpeg: ["@jsquash/jpeg/decode.js", "codec/dec/mozjpeg_dec.wasm"],
  png: ["@jsquash/png/decode.js", "codec/pkg/squoosh_png_bg.wasm"],
  webpDecoder: ["@jsquash/webp/decode.js", "codec/dec/webp_dec.wasm"],
  webpEncoder: ["@jsquash/webp/encode.js", "codec/enc/webp_enc_simd.wasm"],
  resize: ["@jsquash/resize", "lib/resize/pkg/squoosh_resize_bg.wasm"],
} as const;

/**
 * Unpacks a picture and packs its pixels anew, for pages and for paper. The codecs are WebAssembly: a picture that breaks
 * one breaks into nothing else, and they run wherever the functions do. Throws when it cannot be read.
 */
export async function encodeLogo(
  bytes: Uint8Array<ArrayBuffer>,
  type: LogoType,
): Promise<EncodedLogo> {
  offerImageData();
  const compile = async (name: keyof typeof CODECS) => {
    const [module, path] = CODECS[name];
    return WebAssembly.compile(await readPackageFile(module, path));
  };
  const [decoder, encoder, resizer] = await Promise.all([
    compile(type === "image/png" ? "png" : type === "image/jpeg" ? "jpeg" : "webpDecoder"),
    compile("webpEncoder"),
    compile("resize"),
  ]);
  await Promise.all([initWebpEncoder(encoder), initResize(resizer)]);
  const print = await grounded(await fitted(await decode(bytes, type, decoder), PRINT));
  const screen = await packed(await fitted(print, SCREEN), SCREEN);
  return {
    screen: screen.bytes,
    print: (await packed(print, PRINT)).bytes,
    width: screen.width,
    height: screen.height,
  };
}

async function decode(
  bytes: Uint8Array<ArrayBuffer>,
  type: LogoType,
  codec: WebAssembly.Module,
): Promise<ImageData> {
  const buffer = bytes.slice().buffer;
  switch (type) {
    case "image/png":
      await initPng(codec);
      return decodePng(buffer);
    case "image/jpeg":
      await initJpeg(codec);
      // A telephone says in the metadata, which go, how it was held.
      return decodeJpeg(buffer, { preserveOrientation: true });
    case "image/webp":
      await initWebpDecoder(codec);
      return decodeWebp(buffer);
  }
}

/** A logo as it can be seen on pages and on paper: pale letters without a ground of their own get one. */
async function grounded(print: ImageData): Promise<ImageData> {
  if (!isLostOnPaper(await fitted(print, SCREEN))) return print;
  const { data, width, height } = onPlate(print);
  return fitted(new ImageData(data, width, height), PRINT);
}

/** A picture made to fit a box; never larger than it was. */
async function fitted(picture: ImageData, box: Pick<Rendition, "width" | "height">) {
  const scale = Math.min(1, box.width / picture.width, box.height / picture.height);
  if (scale === 1) return picture;
  const sized = (side: number) => Math.max(1, Math.round(side * scale));
  const size = { width: sized(picture.width), height: sized(picture.height) };
  const { data, width, height } = averaged(picture, Math.floor(1 / scale));
  const near = new ImageData(data, width, height);
  return width === size.width && height === size.height ? near : resize(near, size);
}

/** The best that weighs no more than it may: without loss where that is small already, as with flat colours. */
async function packed(picture: ImageData, rendition: Rendition) {
  const { width, height } = picture;
  const lossless = hasMoreColors(picture, DRAWN_COLORS) ? [] : [{ lossless: 1 }];
  for (const options of [...lossless, ...QUALITIES.map((quality) => ({ quality }))]) {
    const bytes = new Uint8Array(await encodeWebp(picture, options));
    if (bytes.length <= rendition.bytes) return { bytes, width, height };
  }
  const smaller = await fitted(picture, { width: width * 0.75, height: height * 0.75 });
  return packed(smaller, rendition);
}

/** The codecs speak of pictures as browsers do. */
function offerImageData(): void {
  if ("ImageData" in globalThis) return;
  Object.defineProperty(globalThis, "ImageData", {
    value: class {
      constructor(
        readonly data: Uint8ClampedArray,
        readonly width: number,
        readonly height: number,
      ) {}
    },
  });
}
