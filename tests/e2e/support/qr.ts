import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Locator } from "playwright-core";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

const { resolve } = createRequire(import.meta.url);

/** Reads the QR code in a picture of an element, as a camera would: null when there is none. */
export async function readQrCode(element: Locator): Promise<string | null> {
  const [code] = await readQrCodes(await element.screenshot({ animations: "disabled" }));
  return code ?? null;
}

/** Reads all QR codes in a picture (PNG) that are dark on light: not every camera reads the opposite. */
export async function readQrCodes(picture: Uint8Array): Promise<string[]> {
  const wasm = await readFile(resolve("zxing-wasm/reader/zxing_reader.wasm"));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
  const codes = await readBarcodes(new Uint8Array(picture), {
    // The whole family, « QRCode », has micro codes, which the reader sees now and then in a corner of a larger one.
    formats: ["QRCodeModel2"],
    tryInvert: false,
  });
  return codes.map(({ text }) => text);
}
