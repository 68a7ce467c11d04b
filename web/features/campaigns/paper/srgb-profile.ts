/** Name of the colour space in a PDF's output intent. */
export const SRGB = "sRGB IEC61966-2.1";

/** Colours of the three lights (IEC 61966-2-1), as seen under D50. */
const COLORANTS = {
  rXYZ: [0.43607, 0.22249, 0.01392],
  gXYZ: [0.38515, 0.71687, 0.09708],
  bXYZ: [0.14307, 0.06061, 0.7141],
} as const;
const D50 = [0.9642, 1, 0.8249] as const;
/** Bradford adaptation from D65, the white of screens, to D50, the white of profiles. */
const ADAPTATION = [
  1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01708, -0.00925, 0.01508, 0.75168,
] as const;
/** Curve of each channel (ICC.1, parametric curve 3): exponent, slope, offset, slope near black, and where that ends. */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

const HEADER = 128;

/** Bytes of a tag: its type, four bytes reserved, then 16-bit or 32-bit values. */
function tag(type: string, write: (view: DataView) => void, length: number): Uint8Array {
  const bytes = new Uint8Array(8 + length);
  for (let index = 0; index < 4; index += 1) bytes[index] = type.charCodeAt(index);
  write(new DataView(bytes.buffer, 8));
  return bytes;
}

/** Values in 16.16 fixed point, after as many bytes as `from` says. */
function fixed(type: string, values: readonly number[], from = 0): Uint8Array {
  const write = (view: DataView) => {
    for (const [index, value] of values.entries()) {
      view.setInt32(from + 4 * index, Math.round(value * 65_536));
    }
  };
  return tag(type, write, from + 4 * values.length);
}

/** A text in one language, as version 4 of the format has it. */
function words(text: string): Uint8Array {
  const write = (view: DataView) => {
    view.setUint32(0, 1);
    view.setUint32(4, 12);
    view.setUint32(8, 0x656e_5553); // enUS
    view.setUint32(12, 2 * text.length);
    view.setUint32(16, 28);
    for (let index = 0; index < text.length; index += 1) {
      view.setUint16(20 + 2 * index, text.charCodeAt(index));
    }
  };
  return tag("mluc", write, 4 * Math.ceil((20 + 2 * text.length) / 4));
}

/** An ICC profile of sRGB (ICC.1:2010): what a PDF needs to say which red its red is. */
export function srgbProfile(): Uint8Array {
  const curve = fixed("para", CURVE, 4);
  new DataView(curve.buffer).setUint16(8, 3);
  const tags: readonly (readonly [string, Uint8Array])[] = [
    ["desc", words(SRGB)],
    ["cprt", words("No copyright")],
    ["wtpt", fixed("XYZ ", D50)],
    ["chad", fixed("sf32", ADAPTATION)],
    ...Object.entries(COLORANTS).map(([name, at]) => [name, fixed("XYZ ", at)] as const),
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  const places = new Map<Uint8Array, number>();
  let length = HEADER + 4 + 12 * tags.length;
  for (const [, content] of tags) {
    if (places.has(content)) continue;
    places.set(content, length);
    length += content.length;
  }
  const profile = new Uint8Array(length);
  const view = new DataView(profile.buffer);
  const letters = (at: number, text: string) =>
    profile.set(
      Array.from(text, (letter) => letter.charCodeAt(0)),
      at,
    );
  view.setUint32(0, length);
  view.setUint32(8, 0x0430_0000); // version 4.3
  letters(12, "mntrRGB XYZ ");
  // The date of the standard: the same bytes each time.
  for (const [index, part] of [1999, 10, 18].entries()) view.setUint16(24 + 2 * index, part);
  letters(36, "acsp");
  profile.set(fixed("XYZ ", D50).subarray(8), 68);
  view.setUint32(HEADER, tags.length);
  for (const [index, [name, content]] of tags.entries()) {
    const entry = HEADER + 4 + 12 * index;
    const place = places.get(content) ?? 0;
    letters(entry, name);
    view.setUint32(entry + 4, place);
    view.setUint32(entry + 8, content.length);
    profile.set(content, place);
  }
  return profile;
}
