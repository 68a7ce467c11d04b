import type { LinkProps } from "@tanstack/react-router";
import {
  Gift,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  Settings,
  Store,
  Users,
} from "lucide-react";
import { shellCopy } from "./shell.copy.ts";

const { labels } = shellCopy;

type Entry = {
  /** A path of the route tree: a link that leads nowhere does not compile. */
  to: NonNullable<LinkProps["to"]>;
  label: string;
  icon: LucideIcon;
  /** Who lacks it does not see the entry (table `role_permissions`); null is for everybody. */
  permission: string | null;
};

/** The navigation, in the order of the specification (section 2.9); an entry comes with its screen. */
const NAVIGATION: readonly Entry[] = [
  {
    to: "/dashboard",
    label: labels.dashboard,
    icon: LayoutDashboard,
    permission: "activity.read",
  },
  { to: "/customers", label: labels.customers, icon: Users, permission: "customers.read" },
  { to: "/campaigns", label: labels.campaigns, icon: Megaphone, permission: "campaigns.read" },
  { to: "/rewards", label: labels.rewards, icon: Gift, permission: "rewards.read" },
  { to: "/stores", label: labels.stores, icon: Store, permission: "stores.read" },
  { to: "/settings", label: labels.settings, icon: Settings, permission: null },
];

/** The entries that somebody with these permissions sees. */
export function navigationFor(permissions: readonly string[]): readonly Entry[] {
  return NAVIGATION.filter(
    ({ permission }) => permission === null || permissions.includes(permission),
  );
}
