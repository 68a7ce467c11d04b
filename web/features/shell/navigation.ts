import {
  Gift,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  MessageSquare,
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

/** The entries that somebody with these permissions sees. */
export function navigationFor(permissions: readonly string[]): readonly Entry[] {
  return NAVIGATION.filter(({ to }) => mayOpen(permissions, to));
}
