import type { NavigateOptions } from "@tanstack/react-router";
import {
  Gift,
  type LucideIcon,
  Megaphone,
  Plus,
  ScanLine,
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

type Page = { title: string; icon: LucideIcon; to: Screen };

const { actions } = paletteCopy;

/** Forms of the back-office, which a plan that is over closes. */
const FORMS: readonly Page[] = [
  { title: actions.campaign, icon: Plus, to: "/campaigns/new" },
  { title: actions.reward, icon: Plus, to: "/rewards/new" },
  { title: actions.store, icon: Plus, to: "/stores/new" },
];

/** Other pages that the navigation does not list. */
const FURTHER: readonly Page[] = [
  { title: actions.till, icon: ScanLine, to: "/encaisser" },
  { title: actions.pricing, icon: Tag, to: "/pricing" },
  { title: actions.password, icon: ShieldCheck, to: "/settings/password" },
  { title: actions.factors, icon: ShieldCheck, to: "/settings/2fa" },
  { title: actions.sessions, icon: ShieldCheck, to: "/settings/sessions" },
  { title: actions.account, icon: UserRound, to: "/settings/account" },
];

/** Pages whose title a text is part of, without case and accents; all of them for no text. */
export function pageGroup(workspace: Workspace | undefined, text: string): ChoiceGroup {
  const wanted = slugify(text);
  const permissions = workspace?.permissions ?? [];
  const forms = workspace && !isClosed(workspace) ? FORMS : [];
  const further = [...forms, ...FURTHER].filter(({ to }) => mayOpen(permissions, to));
  const entries = navigationFor(workspace)
    .filter((entry) => further.every(({ to }) => to !== entry.to))
    .map(({ to, label, icon }) => ({ title: label, icon, to }));
  const isWanted = ({ title }: { title: string }) =>
    text === "" || (wanted !== "" && slugify(title).includes(wanted));
  const choices = [...entries, ...further].filter(isWanted).map(({ title, icon, to }) => ({
    key: `page ${title}`,
    title,
    detail: null,
    icon,
    target: { to },
    thing: null,
  }));
  return { title: paletteCopy.pages, choices };
}
