import { formatShare } from "../../lib/format.ts";
import { withoutPointsCopy } from "./without-points.copy.ts";

/** Codes used, wins, and those of the wins that are of points. */
export type CodeFigures = { redemptions: number; wins: number; points_wins: number };

/** Share of the wins with a code that were used; null where it says no more than the share of all wins. */
export function shareWithoutPoints(figures: CodeFigures): string | null {
  const { redemptions, wins, points_wins } = figures;
  // Without points both are the same; with nothing else there is no second one.
  if (points_wins <= 0 || points_wins >= wins) return null;
  return formatShare(redemptions, wins - points_wins);
}

/** The rate of redemption without wins of points, in a line of its own below the rate that counts all wins. */
export function WithoutPoints({ figures }: { figures: CodeFigures }) {
  const share = shareWithoutPoints(figures);
  if (share === null) return null;
  return (
    <>
      <br />
      {withoutPointsCopy.text(share)}
    </>
  );
}
