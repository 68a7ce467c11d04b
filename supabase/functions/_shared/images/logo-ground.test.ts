import decodeWebp, { init as initWebpDecoder } from "@jsquash/webp/decode.js";
import { describe, expect, it } from "vitest";
import { transparentPng } from "../../../../tests/harness/pictures.ts";
import { encodeLogo } from "./encode-logo.ts";
import { isLostOnPaper, onPlate } from "./logo-ground.ts";
import { readPackageFile } from "./package-file.ts";
import type { Pixels } from "./pixels.ts";

type Paint = readonly [red: number, green: number, blue: number, alpha?: number];

const WIDTH = 240;
const HEIGHT = 60;
const NOTHING: Paint = [0, 0, 0, 0];
const WHITE: Paint = [255, 255, 255];
const BLACK: Paint = [0, 0, 0];

function draw(paint: (x: number, y: number) => Paint): Pixels {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let index = 0; index < WIDTH * HEIGHT; index += 1) {
    const [red, green, blue, alpha = 255] = paint(index % WIDTH, Math.floor(index / WIDTH));
    data.set([red, green, blue, alpha], index * 4);
  }
  return { data, width: WIDTH, height: HEIGHT };
}

/** Letters as a computer sees them: strokes with room in between. */
const isLetter = (x: number, y: number) => x > 70 && x < 230 && y > 15 && y < 45 && x % 8 < 4;
const isDisc = (x: number, y: number) => Math.hypot(x - 34, y - 30) < 22;
const isBadge = (x: number, y: number) => x > 1 && x < 238 && y > 1 && y < 58;

const letters = (color: Paint) => draw((x, y) => (isLetter(x, y) ? color : NOTHING));

describe("a logo's ground", () => {
  it.each<[string, Pixels]>([
    ["white letters", letters(WHITE)],
    ["yellow letters", letters([255, 220, 60])],
    ["letters of milky glass", letters([255, 255, 255, 160])],
    [
      "white letters beside a red mark",
      draw((x, y) => (isLetter(x, y) ? WHITE : isDisc(x, y) ? [200, 30, 60] : NOTHING)),
    ],
  ])("is a dark plate for %s", (_, picture) => {
    expect(isLostOnPaper(picture)).toBe(true);
  });

  it.each<[string, Pixels]>([
    ["black letters", letters(BLACK)],
    ["orange letters", letters([245, 158, 11])],
    [
      "black letters beside a white and black mark",
      draw((x, y) =>
        isLetter(x, y) || Math.hypot(x - 34, y - 30) < 8 ? BLACK : isDisc(x, y) ? WHITE : NOTHING,
      ),
    ],
    [
      "a white badge with black letters",
      draw((x, y) => (isLetter(x, y) ? BLACK : isBadge(x, y) ? WHITE : NOTHING)),
    ],
    ["a photograph of black letters on white", draw((x, y) => (isLetter(x, y) ? BLACK : WHITE))],
    ["white letters that brought their ground", draw((x, y) => (isLetter(x, y) ? WHITE : BLACK))],
    ["nothing at all", draw(() => NOTHING)],
  ])("stays the page's own for %s", (_, picture) => {
    expect(isLostOnPaper(picture)).toBe(false);
  });

  it("stays the page's own while a third of the outlines is lost, and no more", () => {
    const row = (...paints: readonly Paint[]): Pixels => ({
      data: Uint8ClampedArray.from(paints.flatMap(([r, g, b, alpha = 255]) => [r, g, b, alpha])),
      width: paints.length,
      height: 1,
    });
    // Pixels are compared three apart: one outline of white on nothing, and two of black on white, or one.
    expect(isLostOnPaper(row(WHITE, BLACK, BLACK, NOTHING, WHITE, WHITE))).toBe(false);
    expect(isLostOnPaper(row(WHITE, BLACK, BLACK, NOTHING, WHITE, BLACK))).toBe(true);
  });

  it("is close around what is drawn, with round corners, and shows it as it is", () => {
    const { data, width, height } = onPlate(letters(WHITE));
    const pixel = (x: number, y: number) => [...data.subarray((y * width + x) * 4).subarray(0, 4)];
    expect(width).toBeLessThan(WIDTH);
    expect(height).toBeLessThan(HEIGHT);
    expect(pixel(0, 0)[3]).toBe(0);
    expect(pixel(Math.floor(width / 2), 0)).toEqual([30, 27, 46, 255]);
    const rows = [...data].filter((_, index) => index % 4 === 0);
    expect(rows.filter((red) => red === 255).length).toBe(
      [...letters(WHITE).data].filter((alpha, index) => index % 4 === 3 && alpha === 255).length,
    );
  });

  it("is drawn to the pixel: what is nearly empty goes, what is half there is blended", () => {
    const data = new Uint8ClampedArray(5 * 4 * 4);
    const paint = (x: number, y: number, color: readonly number[]) =>
      data.set(color, (y * 5 + x) * 4);
    paint(1, 1, [255, 255, 255, 255]);
    paint(2, 1, [200, 100, 0, 128]);
    paint(3, 1, [9, 9, 9, 15]);
    paint(2, 2, [255, 0, 0, 16]);
    const plate = onPlate({ data, width: 5, height: 4 });
    const rows = Array.from({ length: plate.height }, (_row, y) =>
      Array.from({ length: plate.width }, (_pixel, x) => {
        const pixel = plate.data.subarray((y * plate.width + x) * 4).subarray(0, 4);
        return pixel.join(" ").replace(/^30 27 46 /, "");
      }).join(", "),
    );
    expect(rows).toEqual([
      "97, 234, 255, 255, 234, 97",
      "234, 255, 255, 255, 255, 234",
      "255, 255, 255 255 255 255, 115 64 23 255, 255, 255",
      "255, 255, 255, 44 25 43 255, 255, 255",
      "234, 255, 255, 255, 255, 234",
      "97, 234, 255, 255, 234, 97",
    ]);
  });

  it.each([
    [40, 20, 50, 30],
    [100, 4, 112, 16],
    [4, 4, 8, 8],
  ])("is as wide around %i × %i as its height or width asks for", (width, height, wide, high) => {
    const data = new Uint8ClampedArray(width * height * 4).fill(255);
    expect(onPlate({ data, width, height })).toMatchObject({ width: wide, height: high });
  });

  it("comes with both files that are published, and with those that need it alone", async () => {
    await initWebpDecoder(
      await WebAssembly.compile(
        await readPackageFile("@jsquash/webp/decode.js", "codec/dec/webp_dec.wasm"),
      ),
    );
    const groundOf = async (file: Uint8Array<ArrayBuffer>) => {
      const { data, width, height } = await decodeWebp(file.slice().buffer);
      return [...data.subarray((Math.floor(height / 2) * width + 2) * 4).subarray(0, 4)];
    };
    const white = await encodeLogo(transparentPng(letters(WHITE)), "image/png");
    expect(await groundOf(white.screen)).toEqual([30, 27, 46, 255]);
    expect(await groundOf(white.print)).toEqual([30, 27, 46, 255]);
    const black = await encodeLogo(transparentPng(letters(BLACK)), "image/png");
    expect((await groundOf(black.screen))[3]).toBe(0);
    expect((await groundOf(black.print))[3]).toBe(0);
    expect(black).toMatchObject({ width: WIDTH, height: HEIGHT });
  });
});
