import { formatNumber } from "../../../lib/format.ts";
import { clearCopy } from "./clear.copy.ts";
import { ASSUMPTIONS, EXAMPLE, NAMES, sumsOf } from "./sums.ts";

const copy = clearCopy.sums;

/** Reviews and visits to expect: an example without a script, the visitor's own with the page's script (`web/site/clear.ts`). */
export function Calculator() {
  const { reviews, returns } = sumsOf(EXAMPLE);
  return (
    <form
      data-sums
      aria-labelledby="calcul"
      className="grid gap-8 rounded-card bg-surface p-5 shadow-card ring-1 ring-line sm:p-8 lg:grid-cols-[1.2fr_1fr] lg:items-center"
    >
      <noscript>
        <p className="text-lg text-pretty">{copy.example(EXAMPLE)}</p>
      </noscript>
      <fieldset className="only-with-script grid gap-4 sm:grid-cols-2">
        <legend className="mb-4 text-lg font-bold">{copy.legend}</legend>
        {NAMES.map((name) => (
          <div key={name} className="flex flex-col justify-end gap-1.5">
            <label htmlFor={`sum-${name}`} className="font-semibold text-pretty">
              {copy.fields[name].label}
              {copy.fields[name].unit && (
                <span className="text-muted"> ({copy.fields[name].unit})</span>
              )}
            </label>
            <input
              id={`sum-${name}`}
              name={name}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              maxLength={6}
              defaultValue={ASSUMPTIONS[name].example}
              className="min-h-12 w-full rounded-field border-[1.5px] border-field bg-surface px-4 text-lg tabular-nums"
            />
          </div>
        ))}
        <p
          data-problem
          role="status"
          className="font-semibold text-coral-ink empty:hidden sm:col-span-2"
        />
      </fieldset>
      <output
        htmlFor={NAMES.map((name) => `sum-${name}`).join(" ")}
        className="grid gap-5 rounded-card bg-violet-soft p-6"
      >
        <Result name="reviews" value={reviews} label={copy.reviews} />
        <Result name="returns" value={returns} label={copy.returns} />
        <span className="text-sm text-pretty text-muted">{copy.note}</span>
      </output>
    </form>
  );
}

function Result({ name, value, label }: { name: string; value: number; label: string }) {
  return (
    <span className="block">
      <span data-sum={name} className="font-display text-4xl font-bold tabular-nums">
        {formatNumber(value)}
      </span>{" "}
      <span className="font-semibold">{label}</span>
    </span>
  );
}
