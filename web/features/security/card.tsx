import type { ReactNode } from "react";

/** A group of what belongs together. */
export function Card({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <section className={`grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6 ${className}`}>
      {children}
    </section>
  );
}
