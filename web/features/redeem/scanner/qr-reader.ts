import { BarcodeDetector, prepareZXingModule } from "barcode-detector/ponyfill";
// Served by us: by default the library fetches it from a public network.
import wasmUrl from "zxing-wasm/reader/zxing_reader.wasm?url";

// The family « qr_code » has micro codes, which the library sees now and then in a corner of a larger code.
const reader: Promise<BarcodeDetector> = prepareZXingModule({
  overrides: { locateFile: () => wasmUrl },
  fireImmediately: true,
}).then(() => new BarcodeDetector({ formats: ["qr_code_model_2"] }));

/** Waits until QR codes can be read; rejects when the reader cannot be loaded. */
export async function readerReady(): Promise<void> {
  await reader;
}

/** The texts of the QR codes in the camera's present picture. */
export async function readQrCodes(video: HTMLVideoElement): Promise<string[]> {
  const found = await (await reader).detect(video);
  return found.map((qrCode) => qrCode.rawValue);
}
