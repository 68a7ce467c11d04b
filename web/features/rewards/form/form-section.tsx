import { type ReactNode, useId } from "react";

/** Fields that belong together, under a title. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid items-start gap-5 rounded-card bg-surface p-5 shadow-card sm:grid-cols-2 sm:p-6"
    >
      <h2 id={id} className="text-xl sm:col-span-2">
        {title}
      </h2>
      {children}
    </section>
  );
}
