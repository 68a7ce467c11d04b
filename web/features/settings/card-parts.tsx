import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { settingsCopy } from "./settings.copy.ts";

/** The shape of a card that is on its way. */
export function CardSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="h-56 animate-pulse rounded-card bg-surface shadow-card motion-reduce:animate-none"
    />
  );
}

/** Term and its value, inside a `<dl>`. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}

/** The way to what the public sees of the organisation. */
export function PublicPageLink({ slug }: { slug: string }) {
  return (
    <a
      href={`/org/${slug}`}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-11 items-center gap-2 font-semibold underline underline-offset-4"
    >
      {settingsCopy.organization.see}
      <ExternalLink aria-hidden="true" className="size-4" />
    </a>
  );
}
