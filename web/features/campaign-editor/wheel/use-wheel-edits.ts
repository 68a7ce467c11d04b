import { useRef, useState } from "react";
import { type EditorReward, LABEL_MAX_LENGTH, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import type { TranslationValues } from "../../../lib/translation-values.ts";
import { type SegmentValues, wheelTotal } from "../editor.schema.ts";
import { balanceUnlocked, type Share, slide } from "../odds/share-out.ts";
import { LOSING_COLOR, nextColor } from "./colors.ts";
import { type History, NO_HISTORY, remember, stepBack } from "./history.ts";

/** Movement of one slider: the wheel's shares before it, and those that it led to. */
type Slide = { key: string; base: readonly Share[]; made: readonly number[] };

/** A key that no segment has, not even one that was taken up again from an earlier visit. */
function newKey(segments: readonly SegmentValues[]): string {
  let serial = segments.length;
  while (segments.some(({ key }) => key === `new-${serial}`)) serial += 1;
  return `new-${serial}`;
}

/** Edits of a wheel's segments, which `undo` reverts one by one. */
export function useWheelEdits(
  segments: SegmentValues[],
  onChange: (segments: SegmentValues[]) => void,
) {
  const [locked, setLocked] = useState<ReadonlySet<string>>(new Set());
  const [history, setHistory] = useState<History<SegmentValues[]>>(NO_HISTORY);
  const sliding = useRef<Slide | null>(null);

  const shares = segments.map(({ key, weight }) => ({ weight, isLocked: locked.has(key) }));
  const commit = (next: SegmentValues[], subject: string | null = null) => {
    setHistory(remember(history, segments, subject));
    onChange(next);
  };
  const weighed = (weights: readonly number[]) =>
    segments.map((one, place) => ({ ...one, weight: weights[place] ?? one.weight }));
  const balanced = balanceUnlocked(shares);

  return {
    isLocked: (key: string) => locked.has(key),
    lock: (key: string, isLocked: boolean) => {
      sliding.current = null;
      const next = new Set(locked);
      if (isLocked) next.add(key);
      else next.delete(key);
      setLocked(next);
    },
    change: (place: number, values: Partial<SegmentValues>) => {
      const key = segments[place]?.key ?? "";
      commit(
        segments.map((one, index) => (index === place ? { ...one, ...values } : one)),
        `${Object.keys(values).join()} ${key}`,
      );
    },
    /** The same text has the same translation, wherever it occurs. */
    translate: (label: string, translations: TranslationValues) =>
      commit(
        segments.map((one) => (one.label === label ? { ...one, translations } : one)),
        `translations ${label}`,
      ),
    /** Others follow in the proportions that they had before the slider was taken: dragged back, all is as it was. */
    slide: (place: number, weight: number) => {
      const key = segments[place]?.key ?? "";
      const isSame =
        sliding.current?.key === key &&
        sliding.current.made.length === segments.length &&
        segments.every((one, index) => sliding.current?.made[index] === one.weight);
      const base = isSame && sliding.current ? sliding.current.base : shares;
      const made = slide(base, place, weight);
      sliding.current = { key, base, made };
      if (made.every((one, index) => one === segments[index]?.weight)) return;
      commit(weighed(made), `slide ${key}`);
    },
    /** The slider is let go for another control: what comes next begins from here. */
    endSlide: () => {
      sliding.current = null;
    },
    move: (from: number, to: number) => {
      const next = segments.filter((_, index) => index !== from);
      const moved = segments[from];
      if (moved) commit([...next.slice(0, to), moved, ...next.slice(to)]);
    },
    remove: (place: number) => commit(segments.filter((_, index) => index !== place)),
    add: (reward?: EditorReward) => {
      const added: SegmentValues = {
        key: newKey(segments),
        id: null,
        rewardId: reward?.id ?? "",
        label: reward?.name.slice(0, LABEL_MAX_LENGTH) ?? "",
        color: reward ? nextColor(segments.map(({ color }) => color)) : LOSING_COLOR,
        weight: Math.max(0, WHEEL_TOTAL - wheelTotal(segments)),
      };
      commit([...segments, added]);
    },
    /** Puts another wheel in its place. */
    replace: (next: SegmentValues[]) => commit(next),
    /** Makes the sum 100; null where the locked segments leave no way to it. */
    balance: balanced && (() => commit(weighed(balanced))),
    /** Undoes the last change; null when there is none. */
    undo:
      history.past.length === 0
        ? null
        : () => {
            const step = stepBack(history);
            if (!step) return;
            sliding.current = null;
            setHistory(step.history);
            onChange(step.state);
          },
  };
}
