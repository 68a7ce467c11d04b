import { type PicturePlace, placePicture } from "./picture-place.ts";
import type { PrizePicture } from "./prize-picture.ts";
import { PRIZE_DRAWINGS, type PrizeDrawing } from "./prize-pictures.ts";

/** A wheel's segments with the drawings that they name, each with its place. */
export function drawPictures<
  Segment extends { label: string; picture?: PrizePicture | null | undefined },
>(
  segments: readonly Segment[],
): (Omit<Segment, "picture"> & { picture?: PrizeDrawing & { place: PicturePlace | null } })[] {
  return segments.map(({ picture, ...segment }, index) => ({
    ...segment,
    ...(picture && {
      picture: {
        ...PRIZE_DRAWINGS[picture],
        place: placePicture(segment.label, index, segments.length),
      },
    }),
  }));
}
