import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { channelsOf, contrastOf, luminance } from "#domain/rules/colors.ts";
import { MovingPointer } from "./moving-pointer.tsx";
import { RestingPointer } from "./resting-pointer.tsx";
import { WheelFace } from "./wheel-face.tsx";

/** How far the label of every segment is turned on a wheel at rest, in degrees from reading level. */
function labelTurns(count: number): number[] {
  const segments = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    label: `Café ${index}`,
    color: "#8B5CF6",
  }));
  const face = renderToStaticMarkup(<WheelFace segments={segments} />);
  const turns = face.matchAll(
    /<g transform="rotate\(([\d.]+)\)".*?<text transform="rotate\((-?\d+)\)"/g,
  );
  return [...turns].map(([, segment, text]) => {
    const turn = Number(segment) + Number(text);
    return ((((turn + 180) % 360) + 360) % 360) - 180;
  });
}

describe("labels", () => {
  it.each([1, 2, 3, 4, 7, 8, 12])("stand upright on both halves of a wheel of %d", (count) => {
    const turns = labelTurns(count);
    expect(turns).toHaveLength(count);
    for (const turn of turns) expect(Math.abs(turn)).toBeLessThanOrEqual(90);
  });
});

/** A token of the brand in one of its two lights. */
function token(name: string, light: ":root" | ".dark"): string {
  const css = readFileSync(new URL("../theme.css", import.meta.url), "utf8");
  const rules = css.slice(css.indexOf(`\n${light}`));
  return new RegExp(`--${name}: (#[\\da-f]{6})`).exec(rules)?.[1] ?? "";
}

describe("the pointer", () => {
  it.each([
    ["at rest", RestingPointer],
    ["that moves", MovingPointer],
  ])("%s stands out from every colour of a segment, by day and by night", (_, Pointer) => {
    const drawn = renderToStaticMarkup(<Pointer />);
    const names = [/fill-(\w+)/, /stroke-(\w+)/].map((part) => part.exec(drawn)?.[1] ?? "");
    for (const light of [":root", ".dark"] as const) {
      const [fill = 0, edge = 0] = names.map((name) => luminance(channelsOf(token(name, light))));
      // Every grey: a contrast knows no other difference.
      for (let level = 0; level <= 255; level += 1) {
        const slice = luminance([level, level, level]);
        expect(Math.max(contrastOf(fill, slice), contrastOf(edge, slice))).toBeGreaterThan(3);
      }
    }
  });
});
