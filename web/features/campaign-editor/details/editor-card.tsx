import type { ReactNode } from "react";

/** A part of the form on a surface of its own. */
export function EditorCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{title}</h2>
      {children}
    </section>
  );
}
