import { describe, expect, it } from "vitest";
import { photograph, png, transparentPng } from "../../../../tests/harness/pictures.ts";
import { LOGO_MAX_PIXELS } from "../domain/schemas/brand-settings.ts";
import { encodeLogo } from "./encode-logo.ts";
import { readPictureHeader } from "./picture-header.ts";

/** Memory of a hosted function, in bytes. */
const HOSTED_MEMORY = 256 * 1024 * 1024;

/** Both files of a logo, from each kind of picture: what they measure, and what they may weigh. */

async function sizesOf(
  ...[bytes, type]: [Uint8Array<ArrayBuffer>, "image/png" | "image/jpeg" | "image/webp"]
) {
  const logo = await encodeLogo(bytes, type);
  const [screen, print] = [readPictureHeader(logo.screen), readPictureHeader(logo.print)];
  expect([screen?.type, print?.type]).toEqual(["image/webp", "image/webp"]);
  expect([screen?.width, screen?.height]).toEqual([logo.width, logo.height]);
  expect(logo.screen.length).toBeLessThanOrEqual(8 * 1024);
  expect(logo.print.length).toBeLessThanOrEqual(200 * 1024);
  return { logo, screen: [logo.width, logo.height], print: [print?.width, print?.height] };
}

describe("a logo", () => {
  it.each([
    [1200, 300, [384, 96], [1200, 300]],
    [2400, 300, [384, 48], [1200, 150]],
    [400, 1200, [43, 128], [200, 600]],
    [384, 128, [384, 128], [384, 128]],
    [60, 20, [60, 20], [60, 20]],
    [3000, 3, [384, 1], [1200, 1]],
  ])("of %i × %i fits its boxes, and never grows", async (width, height, screen, print) => {
    expect(await sizesOf(png(width, height), "image/png")).toMatchObject({ screen, print });
  });

  it("is read of a WebP as well", async () => {
    const { logo } = await sizesOf(png(300, 100), "image/png");
    const again = await sizesOf(logo.print, "image/webp");
    expect(again).toMatchObject({ screen: [300, 100], print: [300, 100] });
  });

  it("of a photograph becomes smaller until it weighs what it may", async () => {
    const { screen, print } = await sizesOf(await photograph(640, 320, "note"), "image/jpeg");
    expect(print).toEqual([640, 320]);
    const [width = 0, height = 0] = screen;
    expect(width).toBeGreaterThanOrEqual(64);
    expect(width / height).toBeCloseTo(2, 1);
  });

  it("of as many pixels as are taken fits into the memory of a hosted function", async () => {
    const [width, height] = [4000, 3000];
    const data = new Uint8ClampedArray(width * height * 4).fill(200);
    const picture = transparentPng({ data, width, height });
    expect(width * height).toBe(LOGO_MAX_PIXELS);
    const before = process.memoryUsage().external;
    await sizesOf(picture, "image/png");
    expect(process.memoryUsage().external - before).toBeLessThan(HOSTED_MEMORY);
  });

  it.each(["image/png", "image/jpeg", "image/webp"] as const)(
    "that is no %s is none",
    async (type) => {
      await expect(encodeLogo(new Uint8Array([1, 2, 3, 4]), type)).rejects.toThrow();
    },
  );
});
