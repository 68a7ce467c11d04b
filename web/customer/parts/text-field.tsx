import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";

type TextFieldProps = Pick<
  ComponentProps<"input">,
  "type" | "inputMode" | "autoComplete" | "autoCapitalize" | "enterKeyHint" | "maxLength"
> & {
  name: string;
  label: string;
  /** Mistake in the field, in a sentence, or a question about it. */
  mistake?: ReactNode;
  className?: string;
  defaultValue?: string;
};

/**
 * A field with its label and its mistake. Uncontrolled: what was typed before the
 * script arrived stays.
 */
export function TextField({ name, label, mistake, className = "", ...input }: TextFieldProps) {
  const hintId = `${name}-mistake`;
  return (
    <div className={className}>
      <label htmlFor={name} className="mb-1.5 block font-bold">
        {label}
      </label>
      <input
        {...input}
        id={name}
        name={name}
        spellCheck="false"
        aria-invalid={mistake !== undefined}
        aria-describedby={mistake === undefined ? undefined : hintId}
        className="block h-13 w-full min-w-0 rounded-field border-2 border-field bg-surface px-3.5 text-lg transition-colors duration-150 hover:border-ink focus-visible:border-violet focus-visible:outline-offset-0 aria-invalid:border-coral-ink"
      />
      {mistake !== undefined && (
        <p id={hintId} className="mt-1.5 flex gap-1.5 text-coral-ink">
          <Icon name="alert" className="mt-0.5 size-4.5" />
          {mistake}
        </p>
      )}
    </div>
  );
}
