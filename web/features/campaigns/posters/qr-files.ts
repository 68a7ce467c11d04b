/** Width of a module in the PNG, in pixels: a code of 33 modules is sharp at ten centimetres in print. */
const PNG_SCALE = 32;

/** The quiet zone that readers need around the modules, in modules (ISO/IEC 18004). */
const MARGIN = 4;

/** A QR code as two pictures, black on white whatever the theme: it is for paper. */
export type QrFiles = { png: string; svg: string };

/** Draws a text as a QR code, here: nobody else learns of it. Both pictures are `data:` addresses. */
export async function drawQr(text: string): Promise<QrFiles> {
  const { generate } = await import("lean-qr");
  const { toSvgPath } = await import("lean-qr/extras/svg");
  const qr = generate(text);
  const size = qr.size + 2 * MARGIN;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-MARGIN} ${-MARGIN} ${size} ${size}" width="1000" height="1000" shape-rendering="crispEdges"><path fill="#fff" d="M${-MARGIN} ${-MARGIN}h${size}v${size}h${-size}z"/><path d="${toSvgPath(qr)}"/></svg>`;
  return {
    png: qr.toDataURL({ on: [0, 0, 0], off: [255, 255, 255], pad: MARGIN, scale: PNG_SCALE }),
    svg: `data:image/svg+xml,${encodeURIComponent(svg)}`,
  };
}
