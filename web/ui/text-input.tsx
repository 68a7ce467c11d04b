import type { ComponentProps } from "react";

/** A one-line text field; 16 px at least, or iOS zooms into it. */
export function TextInput({ className = "", ...input }: ComponentProps<"input">) {
  return (
    <input
      className={`min-h-12 w-full rounded-field border-[1.5px] border-field bg-surface px-3.5 text-base text-ink placeholder:text-muted aria-invalid:border-coral ${className}`}
      {...input}
    />
  );
}
