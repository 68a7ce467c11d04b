import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";

/** One of many, in the list that the device brings. */
export function SelectInput({ className = "", children, ...select }: ComponentProps<"select">) {
  return (
    <div className="relative">
      <select
        className={`block min-h-12 w-full appearance-none rounded-field border-[1.5px] border-field bg-surface pr-11 pl-3.5 text-base text-ellipsis text-ink aria-invalid:border-coral ${className}`}
        {...select}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3.5 size-5 -translate-y-1/2 text-muted"
      />
    </div>
  );
}
