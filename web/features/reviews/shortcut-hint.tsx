import { reviewsCopy } from "./reviews.copy.ts";

const copy = reviewsCopy.keys;

/** What the keys do, where there is a keyboard, and how to switch them off. */
export function ShortcutHint({ isOn, onToggle }: { isOn: boolean; onToggle: () => void }) {
  return (
    <div className="hidden flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted lg:flex">
      {isOn &&
        copy.list.map(([key, words]) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <kbd className="rounded border border-field bg-surface px-1.5 font-sans font-semibold text-ink">
              {key}
            </kbd>
            {words}
          </span>
        ))}
      <button type="button" onClick={onToggle} className="min-h-11 underline underline-offset-4">
        {isOn ? copy.off : copy.on}
      </button>
    </div>
  );
}
