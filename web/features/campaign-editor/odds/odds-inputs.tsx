import { Lock, LockOpen } from "lucide-react";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { editorCopy } from "../editor.copy.ts";

const copy = editorCopy.wheel;

/** Look of a button of a segment that shows an icon alone. */
export const ICON_BUTTON =
  "grid size-11 shrink-0 place-items-center rounded-field text-muted hover:bg-line/60 hover:text-ink aria-disabled:opacity-40 aria-disabled:hover:bg-transparent";

/** Bounds of a weight, in percent (specification, section 9). */
const MIN = 0;
const MAX = 100;

function clamp(text: string): number {
  return Math.min(MAX, Math.max(MIN, Number.parseInt(text, 10) || MIN));
}

type OddsInputsProps = {
  /** Name of the segment. */
  name: string;
  value: number;
  isLocked?: boolean;
  /** The slider was moved. */
  onSlide: (value: number) => void;
  /** The slider was left. */
  onSlid: () => void;
  /** A number was typed. */
  onType: (value: number) => void;
  /** None where segments cannot be locked. */
  onLock?: (isLocked: boolean) => void;
};

/** A weight, to drag, to type and, where one may, to lock; whatever is typed stays between 0 and 100. */
export function OddsInputs(props: OddsInputsProps) {
  const { name, value, isLocked = false, onSlide, onSlid, onType, onLock } = props;
  const Icon = isLocked ? Lock : LockOpen;
  return (
    <>
      <input
        type="range"
        aria-label={copy.slider}
        aria-valuetext={copy.percent(value)}
        min={MIN}
        max={MAX}
        step={1}
        value={value}
        disabled={isLocked}
        onChange={(event) => onSlide(clamp(event.target.value))}
        onBlur={onSlid}
        className="h-11 min-w-0 flex-1 cursor-pointer disabled:cursor-default disabled:opacity-50"
      />
      <div className="relative w-19 shrink-0">
        <TextInput
          type="number"
          inputMode="numeric"
          aria-label={copy.weight}
          min={MIN}
          max={MAX}
          step={1}
          value={value}
          readOnly={isLocked}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onType(clamp(event.target.value))}
          className="pr-8 text-right tabular-nums [appearance:textfield] read-only:bg-paper read-only:text-muted [&::-webkit-inner-spin-button]:appearance-none"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        >
          %
        </span>
      </div>
      {onLock && (
        <button
          type="button"
          data-part="lock"
          aria-label={copy.lock(name)}
          aria-pressed={isLocked}
          title={isLocked ? copy.locked : copy.unlocked}
          onClick={() => onLock(!isLocked)}
          className={`${ICON_BUTTON} ${isLocked ? "bg-violet-soft text-violet" : ""}`}
        >
          <Icon aria-hidden="true" className="size-5" />
        </button>
      )}
    </>
  );
}
