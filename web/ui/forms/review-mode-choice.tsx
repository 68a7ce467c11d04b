import { TriangleAlert } from "lucide-react";
import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { ReviewMode } from "#domain/rules/review-mode.ts";
import { Badge } from "../badge.tsx";
import { reviewModeChoiceCopy as copy } from "./review-mode-choice.copy.ts";

/** The compliant mode first: it is what a new store starts in. */
const MODES = [
  { name: "compliant", tone: "good" },
  { name: "gating", tone: "careful" },
] as const;

type ReviewModeChoiceProps = {
  field: UseFormRegisterReturn;
  /** The mode that is chosen now. */
  value: ReviewMode;
  hint?: string;
};

/**
 * Choice of the customers who are invited to leave a public review; the filtering mode says plainly
 * what it risks.
 */
export function ReviewModeChoice({ field, value, hint }: ReviewModeChoiceProps) {
  const hintId = useId();
  return (
    <fieldset {...(hint && { "aria-describedby": hintId })} className="grid gap-2">
      <legend className="mb-1 font-semibold">{copy.mode}</legend>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <div className="mt-1 grid gap-3">
        {MODES.map(({ name, tone }) => (
          <label
            key={name}
            className="flex cursor-pointer gap-3.5 rounded-card border-[1.5px] border-field bg-surface p-4 transition-colors duration-150 has-checked:border-violet has-checked:bg-violet-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet"
          >
            <input
              type="radio"
              value={name}
              {...field}
              className="mt-0.5 size-5 shrink-0 outline-none"
            />
            <span className="grid gap-1">
              <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
                {copy.modes[name].title}
                <Badge tone={tone}>{copy.modes[name].badge}</Badge>
              </span>
              <span className="text-muted">{copy.modes[name].text}</span>
            </span>
          </label>
        ))}
      </div>
      <div role="status">
        {value === "gating" && (
          <p className="mt-1 flex gap-3 rounded-field bg-sun-soft px-4 py-3 font-medium text-sun-ink">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
            {copy.gatingWarning}
          </p>
        )}
      </div>
    </fieldset>
  );
}
