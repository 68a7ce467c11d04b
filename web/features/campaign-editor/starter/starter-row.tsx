import { Trash2 } from "lucide-react";
import { useId } from "react";
import { LABEL_MAX_LENGTH } from "#domain/schemas/campaigns.ts";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { editorCopy } from "../editor.copy.ts";
import { ICON_BUTTON } from "../icon-button.ts";
import { OddsInputs } from "../odds/odds-inputs.tsx";
import { starterCopy as copy } from "./starter.copy.ts";
import type { Mistakes, Prize, StarterValues } from "./starter.schema.ts";

type StarterRowProps = {
  place: number;
  count: number;
  segment: StarterValues["segments"][number];
  /** None of a segment that loses. */
  prize: Prize | undefined;
  mistakes: Mistakes;
  onLabel: (label: string) => void;
  onCost: (cost: string) => void;
  onType: (weight: number) => void;
  onSlide: (weight: number) => void;
  onSlid: () => void;
  onRemove: () => void;
};

/** One segment of a first wheel: its text, what it costs, its odds. Two lines where it is narrow. */
export function StarterRow(props: StarterRowProps) {
  const { place, count, segment, prize, mistakes } = props;
  const { onLabel, onCost, onType, onSlide, onSlid, onRemove } = props;
  const id = useId();
  const { label, color, weight } = segment;
  const name = label.trim() || editorCopy.wheel.unnamed(place + 1);
  const mistake = mistakes.label ?? mistakes.cost;
  const marked = (isWrong: unknown) =>
    isWrong ? { "aria-invalid": true as const, "aria-describedby": `${id}-mistake` } : {};
  return (
    <li className="py-2.5 @xl:py-1.5">
      <fieldset
        aria-label={copy.segment(place + 1)}
        className="grid min-w-0 gap-1.5 @xl:flex @xl:items-center @xl:gap-2.5"
      >
        <div className="flex min-w-0 items-center gap-2 @xl:flex-[8]">
          <span
            aria-hidden="true"
            style={{ backgroundColor: color }}
            className="size-4 shrink-0 rounded-full"
          />
          <TextInput
            aria-label={copy.columns.label}
            {...marked(mistakes.label)}
            value={label}
            maxLength={LABEL_MAX_LENGTH}
            autoComplete="off"
            onChange={(event) => onLabel(event.target.value)}
            className="min-w-0 flex-1 basis-28"
          />
          {prize ? (
            <div className="relative w-22 shrink-0">
              <TextInput
                inputMode="decimal"
                aria-label={copy.cost(name)}
                {...marked(mistakes.cost)}
                value={prize.cost}
                maxLength={12}
                autoComplete="off"
                onFocus={(event) => event.target.select()}
                onChange={(event) => onCost(event.target.value)}
                className="pr-7 text-right tabular-nums"
              />
              <span
                aria-hidden="true"
                className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
              >
                €
              </span>
            </div>
          ) : (
            <span className="w-22 shrink-0 pr-3.5 text-right text-muted">{copy.loses}</span>
          )}
        </div>
        <div className="flex min-w-0 items-center gap-2 pl-6 @xl:flex-[5] @xl:pl-0">
          <OddsInputs
            name={name}
            value={weight}
            onSlide={onSlide}
            onSlid={onSlid}
            onType={onType}
          />
          <button
            type="button"
            aria-label={editorCopy.wheel.remove(name)}
            aria-disabled={count === 1 || undefined}
            onClick={count === 1 ? undefined : onRemove}
            className={ICON_BUTTON}
          >
            <Trash2 aria-hidden="true" className="size-5" />
          </button>
        </div>
      </fieldset>
      {mistake && (
        <p id={`${id}-mistake`} className="pt-1 pl-6 text-sm font-medium text-coral-ink">
          {mistake}
        </p>
      )}
    </li>
  );
}
