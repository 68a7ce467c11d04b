import type { ComponentProps } from "react";

/** 16 px at least, or iOS zooms into the field. */
const SIZES = {
  md: "min-h-12 px-3.5 text-base",
  /** A code, read at arm's length. */
  code: "min-h-17 px-3 text-center text-xl font-bold tracking-[0.08em] uppercase tabular-nums min-[380px]:text-2xl",
} as const;

type TextInputProps = Omit<ComponentProps<"input">, "size"> & { size?: keyof typeof SIZES };

/** A one-line text field. */
export function TextInput({ size = "md", className = "", ...input }: TextInputProps) {
  return (
    <input
      className={`w-full min-w-0 rounded-field border-[1.5px] border-field bg-surface text-ink aria-invalid:border-coral ${SIZES[size]} ${className}`}
      {...input}
    />
  );
}
