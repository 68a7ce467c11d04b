import type { PrizeDrawing } from "#domain/rules/prize-pictures.ts";
import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicCampaign, PublicSegment } from "#domain/schemas/public-page.ts";

/** The wheel to show, and the segment to stop at once the draw is known. */
export type ShownWheel = { segments: PublicSegment[]; stopAt: number | null };

/**
 * The wheel as the page knows it, unless the merchant has changed it meanwhile: then the
 * first segment becomes what was drawn, so that the wheel never stops on something else.
 */
export function wheelFor(segments: PublicSegment[], result: SpinResult | null): ShownWheel {
  if (result === null) return { segments, stopAt: null };
  const { segment_id: id, segment_label: label, segment_color: color } = result;
  const place = segments.findIndex((segment) => segment.id === id);
  const stopAt = Math.max(0, place);
  const there = segments[place];
  // The same wheel, not a copy of it: nothing is drawn anew while it turns.
  if (there?.label === label && there.color === color) return { segments, stopAt };
  const drawn: PublicSegment = { id, label, color, position: segments[stopAt]?.position ?? 0 };
  return {
    segments: segments.map((segment, index) => (index === stopAt ? drawn : segment)),
    stopAt,
  };
}

/** The picture of what was won, while it is on the wheel. */
export function pictureOf(
  { segments }: PublicCampaign,
  { segment_id }: SpinResult,
): PrizeDrawing | undefined {
  return segments.find(({ id }) => id === segment_id)?.picture;
}
