import { formatShare } from "../../lib/format.ts";
import { withoutPointsCopy } from "./without-points.copy.ts";

type WithoutPointsProps = {
  /** Codes used, wins, and those of the wins that are of points. */
  figures: { redemptions: number; wins: number; points_wins: number };
};

/** The rate of redemption without wins of points, in a line of its own, where the one that counts all wins stands above it. */
export function WithoutPoints({ figures }: WithoutPointsProps) {
  const { redemptions, wins, points_wins } = figures;
  // Without points both are the same; with nothing else there is no second one.
  if (points_wins <= 0 || points_wins >= wins) return null;
  return (
    <>
      <br />
      {withoutPointsCopy.text(formatShare(redemptions, wins - points_wins))}
    </>
  );
}
