import { describe, expect, it } from "vitest";
import { readPictureHeader } from "./picture-header.ts";

/** Kind and size of a picture, in each way that the formats have to declare them. */

const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0));
const read = (...bytes: readonly number[]) => readPictureHeader(Uint8Array.from(bytes));

const PNG = [0x89, ...text("PNG"), 13, 10, 26, 10];
const SIZES = [0, 0, 3, 132, 0, 1, 0, 2];
const JPEG = [0xff, 0xd8];
/** A frame of 300 × 515: its height comes first. */
const FRAME = [0, 17, 8, 2, 3, 1, 44, 3];
const webp = (...chunk: readonly number[]) => [
  ...text("RIFF"),
  9,
  9,
  9,
  9,
  ...text("WEBP"),
  ...chunk,
];

describe("a picture's header", () => {
  it("of a PNG is its first chunk", () => {
    const size = { type: "image/png", width: 900, height: 65_538 };
    expect(read(...PNG, 0, 0, 0, 13, ...text("IHDR"), ...SIZES)).toEqual(size);
    expect(read(...PNG, 0, 0, 0, 13, ...text("IDAT"), ...SIZES)).toBeNull();
    expect(read(0x88, ...PNG.slice(1), 0, 0, 0, 13, ...text("IHDR"), ...SIZES)).toBeNull();
    expect(read(...PNG.slice(0, 7), 11, 0, 0, 0, 13, ...text("IHDR"), ...SIZES)).toBeNull();
  });

  it.each([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xcf])("of a JPEG is its frame (%i)", (marker) => {
    const size = { type: "image/jpeg", width: 300, height: 515 };
    expect(read(...JPEG, 0xff, marker, ...FRAME)).toEqual(size);
    // Behind a segment of four bytes, and behind padding.
    expect(read(...JPEG, 0xff, 0xe0, 0, 4, 7, 7, 0xff, marker, ...FRAME)).toEqual(size);
    expect(read(...JPEG, 0xff, 0xff, 0xff, marker, ...FRAME)).toEqual(size);
  });

  it.each([0xc4, 0xc8, 0xcc, 0xd0, 0xe0])(
    "of a JPEG is not what only looks like it (%i)",
    (marker) => {
      expect(read(...JPEG, 0xff, marker, ...FRAME)).toBeNull();
    },
  );

  it("of a JPEG needs its markers one behind the other", () => {
    expect(read(...JPEG, 0xff, 0xbf, ...FRAME, 0xff, 0xc0, ...FRAME)).toBeNull();
    expect(read(0xff, 0xd9, 0xff, 0xc0, ...FRAME)).toBeNull();
  });

  it("of a JPEG is none where more scans follow than a picture has: each costs as much as all pixels", () => {
    const scans = (count: number) => Array(count).fill([0xff, 0xda, 0, 2]).flat();
    expect(read(...JPEG, 0xff, 0xc2, ...FRAME, ...scans(64))).toMatchObject({ width: 300 });
    expect(read(...JPEG, 0xff, 0xc2, ...FRAME, ...scans(65))).toBeNull();
  });

  it("of a WebP stands in one of three places", () => {
    const lossy = [...text("VP8 "), ...Array<number>(10).fill(0), 0x84, 0x43, 0x02, 0x81];
    expect(read(...webp(...lossy))).toEqual({ type: "image/webp", width: 900, height: 258 });
    // 14 bits each, one less than the size: 900 × 258.
    const bits = [0x83, 0x43, 0x40, 0x00];
    const lossless = [...text("VP8L"), 0, 0, 0, 0, 0x2f, ...bits];
    expect(read(...webp(...lossless))).toEqual({ type: "image/webp", width: 900, height: 258 });
    const extended = [...text("VP8X"), ...Array<number>(8).fill(0), 0x83, 3, 1, 1, 1, 0];
    expect(read(...webp(...extended))).toEqual({ type: "image/webp", width: 66_436, height: 258 });
    expect(read(...webp(...text("ANIM"), ...Array<number>(20).fill(1)))).toBeNull();
    const [first, ...others] = webp(...lossy);
    expect(read(Number(first) + 1, ...others)).toBeNull();
    expect(read(...text("RIFF"), 9, 9, 9, 9, ...text("WAVE"), ...lossy)).toBeNull();
  });

  it("is none of a picture without a size, or cut off before it", () => {
    const png = [...PNG, 0, 0, 0, 13, ...text("IHDR")];
    expect(read(...png, 0, 0, 0, 0, 0, 0, 0, 1)).toBeNull();
    expect(read(...png, 0, 0, 0, 1, 0, 0, 0, 0)).toBeNull();
    expect(read(...png, 0, 0, 0, 1, 0, 0, 0, 1)).toEqual({
      type: "image/png",
      width: 1,
      height: 1,
    });
    expect(read(...png, ...SIZES.slice(0, 7))).toBeNull();
    expect(read()).toBeNull();
    expect(read(...text("<svg xmlns='http://www.w3.org/2000/svg'/>"))).toBeNull();
  });

  it("is read from a part of a larger piece of memory", () => {
    const bytes = Uint8Array.from([1, 2, 3, ...JPEG, 0xff, 0xc0, ...FRAME, 1, 2]);
    expect(readPictureHeader(bytes.subarray(3))).toMatchObject({ width: 300, height: 515 });
  });
});
