import { ArrowDown, ArrowUp, type LucideIcon, Trash2 } from "lucide-react";
import { type EditorReward, LABEL_MAX_LENGTH } from "#domain/schemas/campaigns.ts";
import { Field } from "../../ui/field.tsx";
import { SelectInput } from "../../ui/select-input.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { editorCopy } from "./editor.copy.ts";
import type { SegmentValues } from "./editor.schema.ts";
import { WeightInput } from "./weight-input.tsx";

const copy = editorCopy.wheel;

type SegmentFieldsProps = {
  id: string;
  /** Index from 0, and the total. */
  place: number;
  count: number;
  segment: SegmentValues;
  rewards: readonly EditorReward[];
  mistake: string | undefined;
  onChange: (values: Partial<SegmentValues>) => void;
  onMove: (step: 1 | -1) => void;
  onRemove: () => void;
};

/** One segment of the wheel: its text, what it wins, its colour and its weight. */
export function SegmentFields(props: SegmentFieldsProps) {
  const { id, place, count, segment, rewards, mistake, onChange, onMove, onRemove } = props;
  const { label, rewardId, color, weight } = segment;
  const reward = rewards.find((one) => one.id === rewardId);
  const name = label.trim() || copy.unnamed(place + 1);

  const choose = (next: string) => {
    const chosen = rewards.find((one) => one.id === next);
    // The text follows what is won, until somebody writes another one.
    const follows = label.trim() === "" || label === reward?.name.slice(0, LABEL_MAX_LENGTH);
    onChange({
      rewardId: next,
      ...(chosen && follows && { label: chosen.name.slice(0, LABEL_MAX_LENGTH) }),
    });
  };

  return (
    <li id={id} className="rounded-card border border-line p-3 sm:p-4">
      <fieldset aria-label={copy.segment(place + 1)} className="grid min-w-0 gap-3">
        <div className="flex items-center gap-1">
          <div className="mr-auto flex items-center gap-2.5">
            <input
              type="color"
              aria-label={copy.color}
              value={color}
              onChange={(event) => onChange({ color: event.target.value.toUpperCase() })}
              className="size-11 shrink-0 cursor-pointer rounded-field border-[1.5px] border-field bg-surface p-1"
            />
            <p className="font-semibold max-[359px]:sr-only">{copy.segment(place + 1)}</p>
          </div>
          <IconButton
            part="up"
            icon={ArrowUp}
            label={copy.up(name)}
            isOff={place === 0}
            onClick={() => onMove(-1)}
          />
          <IconButton
            part="down"
            icon={ArrowDown}
            label={copy.down(name)}
            isOff={place === count - 1}
            onClick={() => onMove(1)}
          />
          <IconButton
            part="remove"
            icon={Trash2}
            label={copy.remove(name)}
            isOff={count === 1}
            onClick={onRemove}
          />
        </div>
        <div className="grid items-start gap-3 md:grid-cols-2">
          <Field label={copy.label} error={mistake}>
            {(field) => (
              <TextInput
                {...field}
                data-part="label"
                value={label}
                maxLength={LABEL_MAX_LENGTH}
                autoComplete="off"
                onChange={(event) => onChange({ label: event.target.value })}
              />
            )}
          </Field>
          <Field label={copy.reward}>
            {(field) => (
              <SelectInput
                {...field}
                value={rewardId}
                onChange={(event) => choose(event.target.value)}
              >
                <option value="">{copy.losing}</option>
                {rewards.map((one) => {
                  const state = rewardState(one);
                  return (
                    <option key={one.id} value={one.id}>
                      {state ? copy.rewardNamed(one.name, copy.rewardState[state]) : one.name}
                    </option>
                  );
                })}
              </SelectInput>
            )}
          </Field>
        </div>
        {reward && rewardState(reward) && (
          <p className="text-sm text-pretty text-muted">{copy.cannotBeWon}</p>
        )}
        <WeightInput value={weight} onChange={(next) => onChange({ weight: next })} />
      </fieldset>
    </li>
  );
}

type IconButtonProps = {
  part: string;
  icon: LucideIcon;
  label: string;
  /** There is nothing to do, but it keeps the focus. */
  isOff: boolean;
  onClick: () => void;
};

function IconButton({ part, icon: Icon, label, isOff, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      data-part={part}
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onClick}
      className="grid size-11 shrink-0 place-items-center rounded-field text-muted hover:bg-line/60 hover:text-ink aria-disabled:opacity-40 aria-disabled:hover:bg-transparent"
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
}

/** Why a reward cannot be won now; null when it can. */
function rewardState({ is_archived, active, stock }: EditorReward) {
  if (is_archived) return "archived";
  if (!active) return "inactive";
  return stock === 0 ? "empty" : null;
}
