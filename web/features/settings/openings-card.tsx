import { Link } from "@tanstack/react-router";
import { ChevronRight, KeySquare, Tags } from "lucide-react";
import { useMay } from "../../lib/use-may.ts";
import { TitledCard } from "../../ui/titled-card.tsx";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.openings;

const PAGES = [
  { to: "/settings/roles", label: copy.roles, icon: Tags, permission: "roles.manage" },
  { to: "/settings/api", label: copy.api, icon: KeySquare, permission: "api.manage" },
] as const;

/** The ways to what opens the organisation to others: roles of its own, and keys for programs. */
export function OpeningsCard() {
  const { may } = useMay();
  const pages = PAGES.filter(({ permission }) => may(permission));
  if (pages.length === 0) return null;
  return (
    <TitledCard title={copy.title} text={copy.text}>
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
    </TitledCard>
  );
}
