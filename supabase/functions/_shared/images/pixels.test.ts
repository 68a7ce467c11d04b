import { describe, expect, it } from "vitest";
import { averaged, hasMoreColors, type Pixels } from "./pixels.ts";

function picture(width: number, ...pixels: readonly (readonly number[])[]): Pixels {
  return { data: Uint8ClampedArray.from(pixels.flat()), width, height: pixels.length / width };
}

const RED = [200, 0, 0, 255];
const BLUE = [0, 0, 100, 255];
const NOTHING = [0, 255, 0, 0];

describe("a picture at a fraction of its size", () => {
  it("has the mean of each square, and of what is left at its edges", () => {
    const whole = picture(3, RED, BLUE, RED, BLUE, RED, RED, BLUE, BLUE, BLUE);
    expect(averaged(whole, 2)).toEqual(
      picture(2, [100, 0, 50, 255], RED, BLUE, BLUE) satisfies Pixels,
    );
  });

  it("keeps the colours of what is seen: nothing of what is transparent blends in", () => {
    const whole = picture(2, RED, NOTHING, NOTHING, NOTHING);
    expect(averaged(whole, 2)).toEqual(picture(1, [200, 0, 0, 64]));
    expect(averaged(picture(2, NOTHING, NOTHING), 2)).toEqual(picture(1, [0, 0, 0, 0]));
  });

  it("is the same picture at its own size", () => {
    const whole = picture(2, RED, BLUE);
    expect(averaged(whole, 1)).toBe(whole);
  });
});

describe("a picture's colours", () => {
  it("are counted up to a number", () => {
    const whole = picture(2, RED, BLUE, RED, NOTHING);
    expect(hasMoreColors(whole, 2)).toBe(true);
    expect(hasMoreColors(whole, 3)).toBe(false);
  });
});
