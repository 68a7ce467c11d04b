import type { PrizeDrawing } from "#domain/rules/prize-pictures.ts";

/** The two tones of a prize's picture, in the colour of the text around it. */
export function PrizePaths({ drawing }: { drawing: PrizeDrawing }) {
  return (
    <>
      <path d={drawing.soft} opacity=".36" />
      <path d={drawing.solid} />
    </>
  );
}

type PrizePictureProps = { drawing: PrizeDrawing; className: string };

/** A prize's picture. Decoration: its name is beside it. */
export function PrizePicture({ drawing, className }: PrizePictureProps) {
  return (
    <svg viewBox="-12 -12 24 24" fill="currentColor" aria-hidden="true" className={className}>
      <PrizePaths drawing={drawing} />
    </svg>
  );
}
