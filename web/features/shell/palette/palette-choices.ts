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
import type { FoundThing } from "#domain/schemas/found-things.ts";
import type { Workspace } from "#domain/schemas/workspace.ts";
import { slugify } from "#domain/text/slugify.ts";
import { isClosed } from "../../../lib/back-office.ts";
import { mayOpen, type Screen } from "../../../lib/screens.ts";
import { settingsPartsCopy } from "../../../lib/settings/settings-parts.copy.ts";
import {
  isPlaceOpen,
  SETTINGS_PARTS,
  type SettingsPartName,
  wayTo,
} from "../../../lib/settings/settings-parts.ts";
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

const { actions } = paletteCopy;

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

/** Parts of the settings; stores have an entry of their own in the navigation. */
const PARTS = SETTINGS_PARTS.filter((part) => part.name !== "stores");

/** Pages that a part leads to. */
const BEYOND: Partial<Record<SettingsPartName, readonly Omit<Page, "icon">[]>> = {
  team: [
    { ...actions.place, to: "/settings/team" },
    { ...actions.invite, to: "/team/invite" },
  ],
};

type Offered = Omit<Page, "to"> & { detail?: string; target: NavigateOptions };

/** Choices within the settings, for somebody with these permissions. */
function settingsPages(permissions: readonly string[]): Offered[] {
  const look = { icon: Settings, detail: paletteCopy.inSettings };
  return PARTS.filter((part) => isPlaceOpen(permissions, part)).flatMap((part) => [
    {
      ...look,
      title: settingsPartsCopy[part.name],
      words: paletteCopy.parts[part.name],
      target: wayTo(part),
    },
    ...(BEYOND[part.name] ?? [])
      .filter(({ to }) => mayOpen(permissions, to))
      .map(({ to, ...page }) => ({ ...look, ...page, target: { to } })),
  ]);
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
  const hasSettings = navigation.some(({ to }) => to === "/settings");
  const pages: readonly Offered[] = [
    ...entries,
    ...further.map(({ to, ...page }) => ({ ...page, target: { to } })),
    ...(hasSettings ? settingsPages(permissions) : []),
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
