import { Link } from "@tanstack/react-router";
import {
  Bell,
  Building2,
  ChevronRight,
  CreditCard,
  Database,
  History,
  KeyRound,
  KeySquare,
  type LucideIcon,
  MessageSquare,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
  Store,
  Tags,
  UserRound,
  Users,
} from "lucide-react";
import { useId } from "react";
import type { Permission } from "#domain/rules/permissions.ts";
import { useMay } from "../../lib/use-may.ts";
import { settingsCopy as copy } from "./settings.copy.ts";
import type { SettingsSection } from "./settings-section.ts";

type Page =
  | "/settings/2fa"
  | "/settings/account"
  | "/settings/api"
  | "/settings/audit"
  | "/settings/brand"
  | "/settings/password"
  | "/settings/roles"
  | "/settings/sessions";

/** A page asks for what `screens.ts` says. */
type Entry = { label: string; icon: LucideIcon } & (
  | { section: SettingsSection; permission?: Permission }
  | { page: Page }
  /** A public page, which is another document. */
  | { href: string }
);

const ORGANIZATION: readonly Entry[] = [
  { section: "organization", label: copy.organization.title, icon: Building2 },
  { section: "stores", label: copy.stores.title, icon: Store },
  { section: "team", label: copy.menu.team, icon: Users },
  { section: "notifications", label: copy.notifications.title, icon: Bell },
  { section: "subscription", label: copy.subscription.title, icon: CreditCard },
  { page: "/settings/brand", label: copy.brand.link, icon: Palette },
  { page: "/settings/roles", label: copy.openings.roles, icon: Tags },
  { page: "/settings/audit", label: copy.openings.audit, icon: History },
  { page: "/settings/api", label: copy.openings.api, icon: KeySquare },
  { section: "data", label: copy.data.title, icon: Database, permission: "organization.export" },
];

const SECURITY: readonly Entry[] = [
  { page: "/settings/password", label: copy.security.password, icon: KeyRound },
  { page: "/settings/2fa", label: copy.security.factors, icon: ShieldCheck },
  { page: "/settings/sessions", label: copy.security.sessions, icon: MonitorSmartphone },
  { page: "/settings/account", label: copy.security.account, icon: UserRound },
];

const HELP: readonly Entry[] = [
  { href: "/contact", label: copy.menu.contact, icon: MessageSquare },
];

const LOOK =
  "group flex min-h-12 items-center gap-3 rounded-field px-3 font-semibold hover:bg-line/60 lg:min-h-11 lg:aria-[current=page]:bg-violet-soft";

/** The sections of the settings: beside them on a computer, a page of its own on a phone. */
export function SettingsMenu({ current }: { current: SettingsSection }) {
  return (
    <nav
      aria-label={copy.menu.title}
      className="grid content-start gap-4 max-lg:rounded-card max-lg:bg-surface max-lg:p-3 max-lg:shadow-card"
    >
      <Entries entries={ORGANIZATION} current={current} />
      <div className="grid gap-1">
        <h2 className="px-3 font-sans text-sm tracking-normal text-muted">{copy.security.title}</h2>
        <Entries entries={SECURITY} current={current} />
      </div>
      <Entries entries={HELP} current={current} />
    </nav>
  );
}

function Entries({ entries, current }: { entries: readonly Entry[]; current: SettingsSection }) {
  const { may, mayOpen } = useMay();
  const shown = entries.filter((entry) =>
    "page" in entry
      ? mayOpen(entry.page)
      : "href" in entry || !entry.permission || may(entry.permission),
  );
  return (
    <ul className="grid gap-0.5">
      {shown.map((entry) => (
        <li key={entry.label}>
          <EntryLink entry={entry} current={current} />
        </li>
      ))}
    </ul>
  );
}

function EntryLink({ entry, current }: { entry: Entry; current: SettingsSection }) {
  const id = useId();
  const { icon: Icon, label } = entry;
  const words = (
    <>
      <Icon
        aria-hidden="true"
        className="size-5 shrink-0 text-muted lg:group-aria-[current=page]:text-violet"
      />
      <span id={id} className="min-w-0 flex-1">
        {label}
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted lg:hidden" />
    </>
  );
  if ("page" in entry) {
    return (
      <Link to={entry.page} className={LOOK}>
        {words}
      </Link>
    );
  }
  if ("href" in entry) {
    return (
      <a href={entry.href} className={LOOK}>
        {words}
      </a>
    );
  }
  const { section } = entry;
  return (
    <Link
      to="/settings"
      search={{ section }}
      // The router would mark every address of this page.
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={section === current ? "page" : undefined}
      className={LOOK}
    >
      {words}
    </Link>
  );
}
