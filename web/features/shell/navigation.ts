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
import { mayOpen, type Screen } from "../../lib/screens.ts";
import { shellCopy } from "./shell.copy.ts";

const { labels } = shellCopy;

type Entry = {
  to: Screen;
  label: string;
  icon: LucideIcon;
  search?: { camera: 1 };
};

/** The till, which opens at the camera from a phone's navigation. */
const TILL: Entry = {
  to: "/encaisser",
  label: labels.till,
  icon: ScanLine,
  search: { camera: 1 },
};

/** The navigation, in the order of the specification (section 2.9); an entry comes with its screen. */
const NAVIGATION: readonly Entry[] = [
  { to: "/dashboard", label: labels.dashboard, icon: LayoutDashboard },
  { to: "/customers", label: labels.customers, icon: Users },
  { to: "/reviews", label: labels.reviews, icon: MessageSquare },
  { to: "/campaigns", label: labels.campaigns, icon: Megaphone },
  { to: "/rewards", label: labels.rewards, icon: Gift },
  { to: "/stores", label: labels.stores, icon: Store },
  { to: "/settings", label: labels.settings, icon: Settings },
];

/** Entries that the thumb reaches at once; the menu has all of them. */
const AT_HAND = 3;

/** Screens that are looked at every day, before all else. */
const DAILY: readonly Screen[] = ["/dashboard", "/reviews"];

/** The entries for a user with these permissions. */
export function navigationFor(permissions: readonly string[]): readonly Entry[] {
  return NAVIGATION.filter(({ to }) => mayOpen(permissions, to));
}

/** All entries of a phone's menu: on a computer the till is in the header. */
export function menuFor(permissions: readonly string[]): readonly Entry[] {
  return [...navigationFor(permissions), ...tillFor(permissions)];
}

/** The entries at the bottom of a phone: what is used daily, and the till. */
export function barFor(permissions: readonly string[]): readonly Entry[] {
  const entries = navigationFor(permissions);
  const till = tillFor(permissions);
  const isDaily = ({ to }: Entry) => DAILY.includes(to);
  const byUse = [...entries.filter(isDaily), ...entries.filter((entry) => !isDaily(entry))];
  return [...byUse.slice(0, AT_HAND - till.length), ...till];
}

function tillFor(permissions: readonly string[]): readonly Entry[] {
  return mayOpen(permissions, TILL.to) ? [TILL] : [];
}
