import { channelsOf, textOf } from "#domain/rules/colors.ts";
import { REACH } from "#domain/rules/picture-place.ts";
import type { PrizeDrawing } from "#domain/rules/prize-pictures.ts";
import { legible } from "../../../ui/wheel/wheel-geometry.ts";
import { fill, type Shape } from "./poster-drawing.ts";
import { INK, WHITE } from "./poster-parts.ts";

/** How much of the ink the paler tone has: paper knows no opacity. */
const SOFT = 0.36;

/** A prize's picture in the ink of its segment, its middle at x and y, as large as `reach` lets it be. */
export function prizePicture(
  { soft, solid }: PrizeDrawing,
  color: string,
  { x, y, reach }: { x: number; y: number; reach: number },
): Shape[] {
  const ground = legible(color);
  const ink = ground.isDark ? INK : WHITE;
  const below = channelsOf(ground.color);
  const [red, green, blue] = channelsOf(ink);
  const mix = (tone: number, under: number) => under + (tone - under) * SOFT;
  const paler = textOf([mix(red, below[0]), mix(green, below[1]), mix(blue, below[2])]);
  const place = { x, y, scale: reach / REACH };
  return [fill(soft, paler, place), fill(solid, ink, place)];
}
