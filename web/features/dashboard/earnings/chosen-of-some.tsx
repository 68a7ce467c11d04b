import { Fragment, type ReactNode, useState } from "react";

type ChosenOfSomeProps = {
  label: string;
  items: readonly { id: string; name: string; said: string; form: ReactNode }[];
  /** How many others there are. */
  more: string | null;
};

/** Some assumptions of one kind; the chosen one has its form below the list. */
export function ChosenOfSome({ label, items, more }: ChosenOfSomeProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const current = items.find(({ id }) => id === chosen) ?? items[0];
  if (!current) return null;
  // Saving an assumption sorts the list anew: the form stays with what it was for.
  if (current.id !== chosen) setChosen(current.id);
  return (
    <div className="grid gap-3">
      <ul aria-label={label} className="divide-y divide-line">
        {items.map(({ id, name, said }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <button
              type="button"
              aria-pressed={id === current.id}
              onClick={() => setChosen(id)}
              className="min-h-11 text-left font-semibold wrap-anywhere underline-offset-4 hover:underline aria-pressed:text-violet"
            >
              {name}
            </button>
            <span className="text-sm text-muted tabular-nums">{said}</span>
          </li>
        ))}
      </ul>
      {more && <p className="text-sm text-muted">{more}</p>}
      <Fragment key={current.id}>{current.form}</Fragment>
    </div>
  );
}
