import type { Permission } from "#domain/rules/permissions.ts";

/**
 * Permission that each screen asks of a member; null for screens that are everybody's. A member who
 * lacks it finds no way there, and another page in its place when the address is typed. The
 * database refuses the same people by itself (`tests/database/screens.test.ts`).
 */
export const SCREENS = {
  "/dashboard": "activity.read",
  "/customers": "customers.read",
  "/customers/$customerId": "customers.read",
  "/reviews": "reviews.read",
  "/campaigns": "campaigns.read",
  "/campaigns/new": "campaigns.write",
  "/campaigns/$campaignId": "activity.read",
  "/campaigns/$campaignId/edit": "campaigns.write",
  "/rewards": "rewards.read",
  "/rewards/points": "rewards.read",
  "/rewards/new": "rewards.write",
  "/rewards/$rewardId/codes": "codes.read",
  "/rewards/$rewardId/edit": "rewards.write",
  "/rewards/$rewardId/stats": "activity.read",
  "/stores": "stores.read",
  "/stores/new": "stores.write",
  "/stores/$storeId/edit": "stores.write",
  "/stores/$storeId/settings": "stores.write",
  "/stores/$storeId/stats": "activity.read",
  "/settings": null,
  "/settings/2fa": null,
  "/settings/account": null,
  "/settings/api": "api.manage",
  "/settings/brand": "organization.update",
  "/settings/audit": "audit.read",
  "/settings/password": null,
  "/settings/roles": "team.read",
  "/settings/sessions": null,
  "/settings/team": null,
  "/team/invite": "team.manage",
  "/encaisser": "codes.redeem",
  // Public, but links to other plans are for members who can choose them.
  "/pricing": "billing.manage",
} as const satisfies Readonly<Record<string, Permission | null>>;

/** The path of a screen, as the routes name it. */
export type Screen = keyof typeof SCREENS;

/** Whether a path is one of a screen that asks for something; with or without the slash that list routes end in. */
export function screenOf(path: string): Screen | null {
  const name = path.replace(/\/$/, "");
  return isScreen(name) ? name : null;
}

function isScreen(name: string): name is Screen {
  return Object.hasOwn(SCREENS, name);
}

/** Whether a user with these permissions may open a screen. */
export function mayOpen(permissions: readonly string[], screen: Screen): boolean {
  const permission = SCREENS[screen];
  return permission === null || permissions.includes(permission);
}
