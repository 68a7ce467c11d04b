import type { NavigateOptions } from "@tanstack/react-router";
import type { Permission } from "#domain/rules/permissions.ts";
import { mayOpen, type Screen } from "../screens.ts";
import type { settingsPartsCopy } from "./settings-parts.copy.ts";
import type { SettingsSection } from "./settings-section.ts";

export type SettingsPartName = keyof typeof settingsPartsCopy;

/** Place within the settings: a section of `/settings`, or a page, which asks for what `screens.ts` says. */
export type SettingsPlace =
  | { section: SettingsSection; permission?: Permission }
  | { page: Extract<Screen, `/settings/${string}`> };

/** Parts of an organisation's settings, in the order of their menu. */
export const SETTINGS_PARTS = [
  { name: "organization", section: "organization" },
  { name: "stores", section: "stores" },
  { name: "team", section: "team" },
  { name: "roles", page: "/settings/roles" },
  { name: "notifications", section: "notifications" },
  { name: "subscription", section: "subscription" },
  { name: "brand", page: "/settings/brand" },
  { name: "audit", page: "/settings/audit" },
  { name: "api", page: "/settings/api" },
  { name: "data", section: "data", permission: "organization.export" },
] as const satisfies readonly ({ name: SettingsPartName } & SettingsPlace)[];

/** Whether somebody with these permissions is shown a place. */
export function isPlaceOpen(permissions: readonly string[], place: SettingsPlace): boolean {
  if ("page" in place) return mayOpen(permissions, place.page);
  return !place.permission || permissions.includes(place.permission);
}

/** Address of a place, for the router. */
export function wayTo(place: SettingsPlace): NavigateOptions {
  return "page" in place
    ? { to: place.page }
    : { to: "/settings", search: { section: place.section } };
}
