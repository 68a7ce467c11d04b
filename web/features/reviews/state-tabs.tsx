import type { ReviewFilters } from "#domain/schemas/reviews.ts";
import { reviewsCopy } from "./reviews.copy.ts";

const copy = reviewsCopy.states;
const STATES = ["open", "answered", "closed", undefined] as const;

type StateTabsProps = {
  state: ReviewFilters["state"];
  onState: (state: ReviewFilters["state"]) => void;
};

/** What became of the reviews in the list. */
export function StateTabs({ state, onState }: StateTabsProps) {
  return (
    <fieldset className="grid grid-cols-4 gap-1 rounded-card bg-line/60 p-1">
      <legend className="sr-only">{copy.label}</legend>
      {STATES.map((value) => (
        <button
          key={value ?? "all"}
          type="button"
          aria-pressed={value === state}
          onClick={() => onState(value)}
          className="min-h-11 rounded-field px-1 text-sm font-semibold text-muted transition-colors duration-150 hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card min-[390px]:text-base lg:text-sm"
        >
          {copy[value ?? "all"]}
        </button>
      ))}
    </fieldset>
  );
}
