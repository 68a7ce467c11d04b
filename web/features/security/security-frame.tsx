import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isCashier } from "../../lib/back-office.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
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
  const workspace = useWorkspace();
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      {/* A member who works at the till alone has these pages, and no settings above them. */}
      {workspace && !isCashier(workspace) && <BackLink to="/settings" label={copy.settings} />}
      <nav aria-label={copy.label} className="-mx-2">
        <ul className="flex flex-wrap gap-1">
          {PAGES.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className="inline-flex min-h-11 items-center rounded-full px-4 font-semibold max-sm:px-2.5 max-sm:text-sm whitespace-nowrap text-muted hover:text-ink aria-[current=page]:bg-violet-soft aria-[current=page]:text-ink"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <PageHeader title={title} text={text} />
      {children}
    </div>
  );
}
