import { type ReactNode, useId } from "react";

/** Attributes of a field's control, by which its label, hint and error are said with it. */
type FieldControl = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type FieldProps = {
  label: string;
  hint?: string | undefined;
  /** Mistake, in a sentence. */
  error?: string | undefined;
  /** Wrong, but the sentence is shown elsewhere. */
  invalid?: boolean;
  children: (control: FieldControl) => ReactNode;
};

/** A labelled control with its hint and its error, tied together for assistive technology. */
export function Field({ label, hint, error, invalid = false, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [hint && hintId, error && errorId].filter(Boolean).join(" ");
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error || invalid ? true : undefined,
      })}
      {error && (
        <p id={errorId} className="text-sm font-medium text-coral-ink">
          {error}
        </p>
      )}
    </div>
  );
}
