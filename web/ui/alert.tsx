import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** Something went wrong: said at once by screen readers, and shown with an icon. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex gap-3 rounded-field bg-coral-soft px-4 py-3 font-medium text-coral-ink"
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div>{children}</div>
    </div>
  );
}
