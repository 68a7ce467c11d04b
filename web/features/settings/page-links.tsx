import { Link, type LinkProps } from "@tanstack/react-router";
import { ChevronRight, type LucideIcon } from "lucide-react";

type PageLink = { to: NonNullable<LinkProps["to"]>; label: string; icon: LucideIcon };

/** The ways from a card of the settings to pages of their own. */
export function PageLinks({ pages }: { pages: readonly PageLink[] }) {
  return (
    <ul className="-mx-3 grid">
      {pages.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            className="flex min-h-12 items-center gap-3 rounded-field px-3 font-semibold hover:bg-line/60"
          >
            <Icon aria-hidden="true" className="size-5 text-muted" />
            <span className="flex-1">{label}</span>
            <ChevronRight aria-hidden="true" className="size-5 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
