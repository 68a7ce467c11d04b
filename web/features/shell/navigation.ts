import {
  Gift,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  MessageSquare,
  ScanLine,
  Settings,
  Store,
  Users,
} from "lucide-react";
import type { Workspace } from "#domain/schemas/workspace.ts";
import { isCashier, isClosed } from "../../lib/back-office.ts";
import { mayOpen, type Screen } from "../../lib/screens.ts";
import { shellCopy } from "./shell.copy.ts";

const { labels } = shellCopy;

type Entry = {
  to: Screen | "/onboarding" | "/closed";
  label: string;
  icon: LucideIcon;
  search?: { camera: 1 };
};

/** An entry whose permission `screens.ts` knows. */
type ScreenEntry = Entry & { to: Screen };

/** The till, which opens at the camera from a phone's navigation. */
const TILL: ScreenEntry = {
  to: "/encaisser",
  label: labels.till,
  icon: ScanLine,
  search: { camera: 1 },
};

/** The navigation, in the order of the specification (section 2.9); an entry comes with its screen. */
const NAVIGATION: readonly ScreenEntry[] = [
  { to: "/dashboard", label: labels.dashboard, icon: LayoutDashboard },
  { to: "/customers", label: labels.customers, icon: Users },
  { to: "/reviews", label: labels.reviews, icon: MessageSquare },
  { to: "/campaigns", label: labels.campaigns, icon: Megaphone },
  { to: "/rewards", label: labels.rewards, icon: Gift },
  { to: "/stores", label: labels.stores, icon: Store },
  { to: "/settings", label: labels.settings, icon: Settings },
];

/** The way to one's own account for those to whom the settings are closed. */
const ACCOUNT: Entry = { to: "/settings/account", label: labels.account, icon: Settings };

/** Entries of somebody without an organisation, and of one whose organisation is closed, besides their account. */
const BEGINNING: Entry = { to: "/onboarding", label: labels.onboarding, icon: Store };
const CLOSED: Entry = { to: "/closed", label: labels.closed, icon: LayoutDashboard };

/** Entries that the thumb reaches at once; the menu has all of them. */
const AT_HAND = 3;

/** Screens that are looked at every day, before all else. */
const DAILY: readonly Entry["to"][] = ["/dashboard", "/reviews"];

/** The entries for a user: none that would lead back here. A cashier has the till beside them. */
export function navigationFor(workspace: Workspace | undefined): readonly Entry[] {
  if (!workspace) return [];
  if (!workspace.organization) return [BEGINNING, ACCOUNT];
  if (isCashier(workspace)) return [ACCOUNT];
  if (isClosed(workspace)) return [CLOSED, ACCOUNT];
  return NAVIGATION.filter(({ to }) => mayOpen(workspace.permissions, to));
}

/** All entries of a phone's menu: on a computer the till is in the header. */
export function menuFor(workspace: Workspace | undefined): readonly Entry[] {
  return [...navigationFor(workspace), ...tillFor(workspace)];
}

/** The entries at the bottom of a phone: what is used daily, and the till. */
export function barFor(workspace: Workspace | undefined): readonly Entry[] {
  const entries = navigationFor(workspace);
  const till = tillFor(workspace);
  const isDaily = ({ to }: Entry) => DAILY.includes(to);
  const byUse = [...entries.filter(isDaily), ...entries.filter((entry) => !isDaily(entry))];
  return [...byUse.slice(0, AT_HAND - till.length), ...till];
}

/** The till, also where a plan is over: codes that were won are still used (decision 029). */
function tillFor(workspace: Workspace | undefined): readonly Entry[] {
  return workspace && mayOpen(workspace.permissions, TILL.to) ? [TILL] : [];
}
