import { Trash2, TriangleAlert } from "lucide-react";
import { type PointerEvent, useId } from "react";
import { type EditorReward, LABEL_MAX_LENGTH } from "#domain/schemas/campaigns.ts";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { editorCopy } from "../editor.copy.ts";
import type { SegmentValues } from "../editor.schema.ts";
import { rewardState } from "../odds/odds.ts";
import { ICON_BUTTON, OddsInputs } from "../odds/odds-inputs.tsx";
import { RewardOptions } from "./reward-options.tsx";
import { SegmentHandle } from "./segment-handle.tsx";

const copy = editorCopy.wheel;

/** Longest text that its field shows whole on a computer, in characters. */
const VISIBLE_LENGTH = 20;

type SegmentRowProps = {
  id: string;
  /** Index from 0, and the total. */
  place: number;
  count: number;
  segment: SegmentValues;
  isLocked: boolean;
  rewards: readonly EditorReward[];
  /** Whether a segment loses: it takes the share of what cannot be won. */
  hasLosing: boolean;
  mistake: string | undefined;
  onChange: (values: Partial<SegmentValues>) => void;
  onSlide: (weight: number) => void;
  onSlid: () => void;
  onLock: (isLocked: boolean) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  wasDragged: () => boolean;
};

/** One segment of the wheel, on a line: its place, colour, text, what it wins and its odds. Three lines where it is narrow: a prize is read whole. */
export function SegmentRow(props: SegmentRowProps) {
  const { id, place, count, segment, isLocked, rewards, hasLosing, mistake } = props;
  const { onChange, onSlide, onSlid, onLock, onMove, onRemove, onPointerDown, wasDragged } = props;
  const { label, rewardId, color, weight } = segment;
  const mistakeId = useId();
  const reward = rewards.find((one) => one.id === rewardId);
  const name = label.trim() || copy.unnamed(place + 1);
  const isBlocked = reward !== undefined && rewardState(reward) !== null;

  const choose = (next: string) => {
    const chosen = rewards.find((one) => one.id === next);
    // The text follows what is won, until it is edited by hand.
    const follows = label.trim() === "" || label === reward?.name.slice(0, LABEL_MAX_LENGTH);
    onChange({
      rewardId: next,
      ...(chosen && follows && { label: chosen.name.slice(0, LABEL_MAX_LENGTH) }),
    });
  };

  return (
    <li
      id={id}
      className="relative bg-surface py-2 data-aside:transition-transform data-aside:duration-150 data-dragged:z-10 data-dragged:rounded-card data-dragged:shadow-card motion-reduce:transition-none @2xl:py-1"
    >
      <fieldset
        aria-label={copy.segment(place + 1)}
        className="grid min-w-0 gap-1 @2xl:flex @2xl:items-center @2xl:gap-2"
      >
        <div className="flex min-w-0 flex-wrap items-center gap-1.5 @2xl:flex-[15] @2xl:flex-nowrap">
          <SegmentHandle
            name={name}
            place={place}
            count={count}
            onMove={onMove}
            onPointerDown={onPointerDown}
            wasDragged={wasDragged}
          />
          <input
            type="color"
            aria-label={copy.color}
            value={color}
            onChange={(event) => onChange({ color: event.target.value.toUpperCase() })}
            className="size-11 shrink-0 cursor-pointer rounded-field border-[1.5px] border-field bg-surface p-1"
          />
          <TextInput
            data-part="label"
            aria-label={copy.label}
            aria-invalid={mistake ? true : undefined}
            aria-describedby={mistake ? mistakeId : undefined}
            value={label}
            maxLength={LABEL_MAX_LENGTH}
            autoComplete="off"
            // Where it does not fit.
            title={label.length > VISIBLE_LENGTH ? label : undefined}
            onChange={(event) => onChange({ label: event.target.value })}
            className="min-w-0 flex-1 basis-28 px-2.5 @2xl:basis-20 @2xl:px-3.5"
          />
          <div className="min-w-0 flex-1 basis-full @2xl:basis-28">
            <SelectInput
              aria-label={copy.reward}
              value={rewardId}
              onChange={(event) => choose(event.target.value)}
            >
              <option value="">{copy.losing}</option>
              <RewardOptions rewards={rewards} />
            </SelectInput>
          </div>
        </div>
        <div className="flex min-w-0 items-center gap-1.5 @2xl:flex-[9] @2xl:gap-2">
          <OddsInputs
            name={name}
            value={weight}
            isLocked={isLocked}
            onSlide={onSlide}
            onSlid={onSlid}
            onType={(next) => onChange({ weight: next })}
            onLock={onLock}
          />
          <button
            type="button"
            data-part="remove"
            aria-label={copy.remove(name)}
            aria-disabled={count === 1 || undefined}
            onClick={count === 1 ? undefined : onRemove}
            className={ICON_BUTTON}
          >
            <Trash2 aria-hidden="true" className="size-5" />
          </button>
        </div>
      </fieldset>
      {mistake && (
        <p id={mistakeId} className="pt-1 text-sm font-medium text-coral-ink @2xl:pl-23">
          {mistake}
        </p>
      )}
      {isBlocked && (
        <p className="flex gap-1.5 pt-1 pb-0.5 text-sm text-pretty text-muted @2xl:pl-23">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-sun-ink" />
          {copy.cannotBeWon(hasLosing)}
        </p>
      )}
    </li>
  );
}
