import { Link } from "@tanstack/react-router";
import { ChevronRight, KeyRound, MonitorSmartphone, ShieldCheck } from "lucide-react";
import { TitledCard } from "../../ui/titled-card.tsx";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.security;

const PAGES = [
  { to: "/settings/password", label: copy.password, icon: KeyRound },
  { to: "/settings/2fa", label: copy.factors, icon: ShieldCheck },
  { to: "/settings/sessions", label: copy.sessions, icon: MonitorSmartphone },
] as const;

/** The ways to the pages about the safety of one's own account. */
export function SecurityCard() {
  return (
    <TitledCard title={copy.title} text={copy.text}>
      <ul className="-mx-3 grid">
        {PAGES.map(({ to, label, icon: Icon }) => (
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
    </TitledCard>
  );
}
