import { TriangleAlert } from "lucide-react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { ReviewMode } from "#domain/stores.ts";
import { Badge } from "../../ui/badge.tsx";
import { storeFormCopy as copy } from "./store-form.copy.ts";

/** The compliant mode first: it is what a new store starts in. */
const MODES = [
  { name: "compliant", tone: "good" },
  { name: "gating", tone: "careful" },
] as const;

type ModeChoiceProps = { field: UseFormRegisterReturn; value: ReviewMode };

/** Who is invited to leave a public review; the filtering mode says plainly what it risks. */
export function ModeChoice({ field, value }: ModeChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">{copy.mode}</legend>
      {MODES.map(({ name, tone }) => (
        <label
          key={name}
          className="flex cursor-pointer gap-3.5 rounded-card border-[1.5px] border-field bg-surface p-4 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
        >
          <input
            type="radio"
            value={name}
            {...field}
            className="mt-0.5 size-5 shrink-0 accent-violet outline-none"
          />
          <span className="grid gap-1">
            <span className="flex flex-wrap items-center gap-2 font-semibold">
              {copy.modes[name].title}
              <Badge tone={tone}>{copy.modes[name].badge}</Badge>
            </span>
            <span className="text-muted">{copy.modes[name].text}</span>
          </span>
        </label>
      ))}
      <div role="status">
        {value === "gating" && (
          <p className="flex gap-3 rounded-field bg-sun-soft px-4 py-3 font-medium text-sun-ink">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
            {copy.gatingWarning}
          </p>
        )}
      </div>
    </fieldset>
  );
}
