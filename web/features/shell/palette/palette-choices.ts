import type { NavigateOptions } from "@tanstack/react-router";
import {
  Gift,
  type LucideIcon,
  Megaphone,
  Plus,
  ScanLine,
  Settings,
  ShieldCheck,
  Store,
  Tag,
  Ticket,
  User,
  UserRound,
} from "lucide-react";
import type { Permission } from "#domain/rules/permissions.ts";
import type { FoundThing } from "#domain/schemas/found-things.ts";
import type { Workspace } from "#domain/schemas/workspace.ts";
import { slugify } from "#domain/text/slugify.ts";
import { isClosed } from "../../../lib/back-office.ts";
import { mayOpen, type Screen } from "../../../lib/screens.ts";
import { navigationFor } from "../navigation.ts";
import { paletteCopy } from "./palette.copy.ts";

/** Something that can be chosen, and where it leads. */
export type Choice = {
  key: string;
  title: string;
  detail: string | null;
  icon: LucideIcon;
  target: NavigateOptions;
  /** Found thing to remember; pages are at hand anyway. */
  thing: FoundThing | null;
};

/** Choices under one heading. */
export type ChoiceGroup = { title: string; choices: readonly Choice[] };

const ICONS: Readonly<Record<FoundThing["kind"], LucideIcon>> = {
  campaign: Megaphone,
  customer: User,
  code: Ticket,
  reward: Gift,
  store: Store,
};

/** Screens that found things lead to. */
const SCREEN_OF = {
  campaign: "/campaigns/$campaignId",
  customer: "/customers/$customerId",
  code: "/rewards/$rewardId/codes",
  reward: "/rewards/$rewardId/stats",
  store: "/stores/$storeId/stats",
} as const satisfies Readonly<Record<FoundThing["kind"], Screen>>;

function targetOf({ kind, id, title, parent_id }: FoundThing): NavigateOptions {
  switch (kind) {
    case "campaign":
      return { to: SCREEN_OF.campaign, params: { campaignId: id } };
    case "customer":
      return { to: SCREEN_OF.customer, params: { customerId: id } };
    case "code":
      // The list of its reward's codes, in which it is found.
      return {
        to: SCREEN_OF.code,
        params: { rewardId: parent_id ?? "" },
        search: { q: title },
      };
    case "reward":
      return { to: SCREEN_OF.reward, params: { rewardId: id } };
    case "store":
      return { to: SCREEN_OF.store, params: { storeId: id } };
  }
}

function toChoice(thing: FoundThing): Choice {
  const { kind, id, title, detail } = thing;
  return { key: id, title, detail, icon: ICONS[kind], target: targetOf(thing), thing };
}

/** Things that were opened before, newest first, as far as these permissions still open them. */
export function recentGroup(
  permissions: readonly string[],
  things: readonly FoundThing[],
): ChoiceGroup {
  const open = things.filter(({ kind }) => mayOpen(permissions, SCREEN_OF[kind]));
  return { title: paletteCopy.recent, choices: open.map(toChoice) };
}

/** Results of the platform, a group a kind, in its order. */
export function foundGroups(things: readonly FoundThing[]): ChoiceGroup[] {
  return [...new Set(things.map(({ kind }) => kind))].map((kind) => ({
    title: paletteCopy.kinds[kind],
    choices: things.filter((thing) => thing.kind === kind).map(toChoice),
  }));
}

type Page = { title: string; words?: string; icon: LucideIcon; to: Screen };

const { actions, settings } = paletteCopy;

/** Forms of the back-office, which a plan that is over closes. */
const FORMS: readonly Page[] = [
  { title: actions.campaign, icon: Plus, to: "/campaigns/new" },
  { title: actions.reward, icon: Plus, to: "/rewards/new" },
  { title: actions.store, icon: Plus, to: "/stores/new" },
];

/** Other pages that the navigation does not list. */
const FURTHER: readonly Page[] = [
  { ...actions.till, icon: ScanLine, to: "/encaisser" },
  { ...actions.pricing, icon: Tag, to: "/pricing" },
  { ...actions.password, icon: ShieldCheck, to: "/settings/password" },
  { ...actions.factors, icon: ShieldCheck, to: "/settings/2fa" },
  { ...actions.sessions, icon: ShieldCheck, to: "/settings/sessions" },
  { ...actions.account, icon: UserRound, to: "/settings/account" },
];

/** Pages and sections of an organisation's settings; a page asks for what `screens.ts` says. */
const SETTINGS: readonly {
  title: string;
  words: string;
  target: NavigateOptions & { to: Screen };
  permission?: Permission;
}[] = [
  { ...settings.organization, target: sectionOf("organization") },
  { ...settings.team, target: sectionOf("team") },
  { ...settings.place, target: { to: "/settings/team" } },
  { ...settings.invite, target: { to: "/team/invite" } },
  { ...settings.roles, target: { to: "/settings/roles" } },
  { ...settings.notifications, target: sectionOf("notifications") },
  { ...settings.subscription, target: sectionOf("subscription") },
  { ...settings.brand, target: { to: "/settings/brand" } },
  { ...settings.audit, target: { to: "/settings/audit" } },
  { ...settings.api, target: { to: "/settings/api" } },
  { ...settings.data, target: sectionOf("data"), permission: "organization.export" },
];

function sectionOf(
  section: "organization" | "team" | "notifications" | "subscription" | "data",
): NavigateOptions & { to: Screen } {
  return { to: "/settings", search: { section } };
}

/** Pages whose title, or a word that people type for it, a text is part of, without case and accents; all for no text. */
export function pageGroup(workspace: Workspace | undefined, text: string): ChoiceGroup {
  const wanted = slugify(text);
  const permissions = workspace?.permissions ?? [];
  const forms = workspace && !isClosed(workspace) ? FORMS : [];
  const further = [...forms, ...FURTHER].filter(({ to }) => mayOpen(permissions, to));
  const navigation = navigationFor(workspace);
  const entries = navigation
    .filter((entry) => further.every(({ to }) => to !== entry.to))
    .map(({ to, label, icon }) => ({ title: label, icon, target: { to } }));
  // A cashier has no settings, and none of their pages.
  const parts = navigation.some(({ to }) => to === "/settings") ? SETTINGS : [];
  const open = parts.filter(
    ({ target, permission }) =>
      mayOpen(permissions, target.to) && (!permission || permissions.includes(permission)),
  );
  const pages: readonly {
    title: string;
    words?: string;
    detail?: string;
    icon: LucideIcon;
    target: NavigateOptions;
  }[] = [
    ...entries,
    ...further.map(({ to, ...page }) => ({ ...page, target: { to } })),
    ...open.map((page) => ({ ...page, icon: Settings, detail: paletteCopy.inSettings })),
  ];
  const isWanted = ({ title, words = "" }: { title: string; words?: string }) =>
    text === "" || (wanted !== "" && [title, words].some((said) => slugify(said).includes(wanted)));
  const choices = pages.filter(isWanted).map(({ title, detail = null, icon, target }) => ({
    key: `page ${title}`,
    title,
    detail,
    icon,
    target,
    thing: null,
  }));
  return { title: paletteCopy.pages, choices };
}
