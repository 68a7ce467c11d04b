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
import { settingsPartsCopy } from "../../lib/settings/settings-parts.copy.ts";
import {
  isPlaceOpen,
  SETTINGS_PARTS,
  type SettingsPartName,
  type SettingsPlace,
} from "../../lib/settings/settings-parts.ts";
import type { SettingsSection } from "../../lib/settings/settings-section.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { settingsCopy as copy } from "./settings.copy.ts";

type Entry = { label: string; icon: LucideIcon } & (
  | SettingsPlace
  /** A public page, which is another document. */
  | { href: string }
);

const ICONS: Readonly<Record<SettingsPartName, LucideIcon>> = {
  organization: Building2,
  stores: Store,
  team: Users,
  notifications: Bell,
  subscription: CreditCard,
  brand: Palette,
  roles: Tags,
  audit: History,
  api: KeySquare,
  data: Database,
};

const ORGANIZATION: readonly Entry[] = SETTINGS_PARTS.map((part) => ({
  ...part,
  label: settingsPartsCopy[part.name],
  icon: ICONS[part.name],
}));

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
  const permissions = useWorkspace()?.permissions ?? [];
  const shown = entries.filter((entry) => "href" in entry || isPlaceOpen(permissions, entry));
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
