const GAIN = new Intl.NumberFormat("fr-FR", {
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});
const UNITS = new Intl.PluralRules("fr-FR", { maximumFractionDigits: 1 });

/** Part of a whole, as both were counted. */
type Share = readonly [part: number, whole: number];

/** By how many points a share has moved: « +2,1 pts », « -1 pt »; null where there was nothing to have a share of. */
export function inPoints([part, whole]: Share, [before, wholeBefore]: Share): string | null {
  if (whole === 0 || wholeBefore === 0) return null;
  const gain = (part / whole - before / wholeBefore) * 100;
  return `${GAIN.format(gain)}\u00A0${UNITS.select(Math.abs(gain)) === "one" ? "pt" : "pts"}`;
}
