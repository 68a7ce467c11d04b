import * as z from "zod/mini";
import { UNLIMITED_STOCK } from "#domain/rules/constants.ts";
import { guessPicture } from "#domain/rules/guess-picture.ts";
import { type Trade, tradeWheel } from "#domain/rules/trade-wheels.ts";
import { type EditorReward, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { euroText, readCents } from "../../../lib/read-cents.ts";
import { total } from "../odds/share-out.ts";
import { LOSING_COLOR, nextColor } from "../wheel/colors.ts";
import { starterCopy } from "./starter.copy.ts";

const { rules } = starterCopy;

const segment = z.object({
  key: z.string(),
  id: z.null(),
  /** The prize; blank of a segment that loses. */
  rewardId: z.string(),
  label: z.string(),
  color: z.string(),
  weight: z.number(),
});

/** A prize that is still to be made; its name is the text of its segment. */
const prize = z.object({
  id: z.string(),
  type: z.enum(["gift", "coupon"]),
  /** Cost in euros, as it is typed. */
  cost: z.string(),
});
export type Prize = z.infer<typeof prize>;

/** A first wheel while it is adjusted. Prizes whose segment was removed stay, so that the removal can be undone. */
export const starterValues = z.object({ segments: z.array(segment), prizes: z.array(prize) });
export type StarterValues = z.infer<typeof starterValues>;

/** The wheel that is proposed to a trade, to begin with. */
export function proposalFor(trade: Trade): StarterValues {
  const prizes: Prize[] = [];
  const segments: StarterValues["segments"] = [];
  for (const [place, { label, weight, prize: proposed }] of tradeWheel(trade).entries()) {
    const id = proposed ? `prize-${place}` : "";
    if (proposed) prizes.push({ id, type: proposed.type, cost: euroText(proposed.cost / 100) });
    const color = proposed ? nextColor(segments.map((one) => one.color)) : LOSING_COLOR;
    segments.push({ key: `${trade}-${place}`, id: null, rewardId: id, label, color, weight });
  }
  return { segments, prizes };
}

/** The prizes as the arithmetic of the wheel takes them; an amount that cannot be read counts as none. */
export function rewardsOf({ segments, prizes }: StarterValues): EditorReward[] {
  return prizes.map(({ id, type, cost }) => {
    const name = segments.find(({ rewardId }) => rewardId === id)?.label ?? "";
    return {
      id,
      name,
      active: true,
      stock: UNLIMITED_STOCK,
      is_archived: false,
      value: (readCents(cost) ?? 0) / 100,
      picture: guessPicture(name, type),
      home: null,
    };
  });
}

/** Segments as `start_campaign` takes them. */
export function toSegments({ segments, prizes }: StarterValues) {
  return segments.map(({ label, color, weight, rewardId }) => {
    const won = prizes.find(({ id }) => id === rewardId);
    return {
      label: seenText(label),
      color,
      weight,
      prize: won
        ? {
            type: won.type,
            cost_cents: readCents(won.cost),
            picture: guessPicture(label, won.type),
          }
        : null,
    };
  });
}

/** Mistakes in a segment, in sentences. */
export type Mistakes = { label?: string | undefined; cost?: string | undefined };

/** Mistakes, a segment each. */
export function mistakesOf({ segments, prizes }: StarterValues): Mistakes[] {
  return segments.map(({ label, rewardId }) => {
    const won = prizes.find(({ id }) => id === rewardId);
    return {
      label: seenText(label) === "" ? rules.label : undefined,
      cost: won && readCents(won.cost) === null ? rules.cost : undefined,
    };
  });
}

/** Whether something can be won. */
export function hasPrize({ segments }: StarterValues): boolean {
  return segments.some(({ rewardId, weight }) => rewardId !== "" && weight > 0);
}

/** Whether a campaign can be made of it. */
export function isWhole(values: StarterValues): boolean {
  const isWrong = mistakesOf(values).some(({ label, cost }) => label ?? cost);
  return (
    !isWrong &&
    hasPrize(values) &&
    total(values.segments.map(({ weight }) => weight)) === WHEEL_TOTAL
  );
}
