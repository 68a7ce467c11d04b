import type { ComponentProps } from "react";

/** A text field of several lines, which grows with its text where the browser can. */
export function TextArea({ className = "", ...textarea }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={3}
      className={`field-sizing-content min-h-24 w-full rounded-field border-[1.5px] border-field bg-surface px-3.5 py-2.5 text-base text-ink aria-invalid:border-coral ${className}`}
      {...textarea}
    />
  );
}
