import {
  type EditorReward,
  LABEL_MAX_LENGTH,
  SEGMENTS_MAX,
  WHEEL_TOTAL,
} from "#domain/schemas/campaigns.ts";
import type { SegmentValues } from "../editor.schema.ts";
import { balance } from "../odds/share-out.ts";
import { LOSING_COLOR, nextColor } from "./colors.ts";

/** A wheel with a segment more. */
export type Proposal = { segments: SegmentValues[]; name: string; weight: number };

/**
 * A wheel with a reward added: an equal share, in percent, taken from the other segments in proportion. Null
 * where it is on the wheel already, cannot be won for good, or no segment has room.
 */
export function proposeSegment(
  segments: readonly SegmentValues[],
  reward: EditorReward | undefined,
): Proposal | null {
  if (!reward || reward.is_archived || segments.length >= SEGMENTS_MAX) return null;
  if (segments.some(({ rewardId }) => rewardId === reward.id)) return null;
  const added: SegmentValues = {
    key: `reward-${reward.id}`,
    id: null,
    rewardId: reward.id,
    label: reward.name.slice(0, LABEL_MAX_LENGTH),
    color: nextColor(segments.map(({ color }) => color)),
    weight: 0,
  };
  const next = withShare(segments, added);
  return { segments: next, name: reward.name, weight: next.at(-1)?.weight ?? 0 };
}

/** A wheel of one prize that another campaign has, and a segment that loses, for a campaign that has none yet. */
export function firstWheel(losing: string, reward: EditorReward | undefined): Proposal | null {
  const segment = {
    key: "losing",
    id: null,
    rewardId: "",
    color: LOSING_COLOR,
    weight: WHEEL_TOTAL,
  };
  return proposeSegment([{ ...segment, label: losing }], reward);
}

/** A wheel with a segment at its end that takes an equal share from the others, in proportion. */
export function withShare(
  segments: readonly SegmentValues[],
  added: SegmentValues,
): SegmentValues[] {
  const share = Math.max(1, Math.floor(WHEEL_TOTAL / (segments.length + 1)));
  const weights = balance([
    ...segments.map(({ weight }) => weight * (WHEEL_TOTAL - share)),
    share * WHEEL_TOTAL,
  ]);
  return [...segments, added].map((one, place) => ({ ...one, weight: weights[place] ?? 0 }));
}
