import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePageTitle } from "../../lib/page-title.ts";
import { securityCopy } from "./security.copy.ts";

const copy = securityCopy.nav;

const PAGES = [
  { to: "/settings/password", label: copy.password },
  { to: "/settings/2fa", label: copy.factors },
  { to: "/settings/sessions", label: copy.sessions },
] as const;

type SecurityFrameProps = { title: string; text: string; children: ReactNode };

/** The three pages about the safety of one's account, side by side. */
export function SecurityFrame({ title, text, children }: SecurityFrameProps) {
  usePageTitle(title);
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <nav aria-label={copy.label} className="-mx-4 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-1">
        <ul className="flex w-max gap-1">
          {PAGES.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className="inline-flex min-h-11 items-center rounded-full px-4 font-semibold whitespace-nowrap text-muted hover:text-ink aria-[current=page]:bg-violet-soft aria-[current=page]:text-ink"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <header className="grid gap-2">
        <h1 className="text-2xl sm:text-3xl">{title}</h1>
        <p className="max-w-[60ch] text-lg text-pretty text-muted">{text}</p>
      </header>
      {children}
    </div>
  );
}
