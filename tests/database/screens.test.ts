import { readFile } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import { PERMISSION_LEVELS, PERMISSION_SUBJECTS } from "#domain/rules/permissions.ts";
import { mayOpen, SCREENS, type Screen } from "../../web/lib/screens.ts";
import { become, createTestDatabase, undone } from "../harness/database.ts";
import { ROLES } from "../harness/fixtures.ts";
import { createWorld } from "./attempts.ts";
import { isRefused, readCells } from "./cells.ts";

/**
 * Screen × role: whoever finds a way to a screen gets what it is for from the database, and nobody else does. The
 * roles are the given ones, one for each permission by itself, and one for each subject left out.
 */

const database = await createTestDatabase();
const { sql } = database;
const world = await createWorld(database);
const cells = await readCells(sql, world);

afterAll(() => database.drop());

/**
 * Purpose of each screen, in the words of the matrix; null for screens that everybody has, whatever
 * they may do.
 */
const PURPOSES: Readonly<Record<Screen, string | null>> = {
  "/dashboard": "dashboard",
  "/customers": "customer_list",
  "/customers/$customerId": "customer_detail",
  "/reviews": "review_inbox",
  "/campaigns": "campaign_list",
  "/campaigns/new": "campaigns insert",
  "/campaigns/$campaignId": "campaign_stats",
  "/campaigns/$campaignId/edit": "campaign_editor",
  "/rewards": "reward_list",
  "/rewards/points": "points_catalogue",
  "/rewards/new": "rewards insert",
  "/rewards/$rewardId/codes": "reward_codes",
  "/rewards/$rewardId/edit": "rewards update",
  "/rewards/$rewardId/stats": "reward_stats",
  "/stores": "store_list",
  "/stores/new": "stores insert",
  "/stores/$storeId/edit": "stores update",
  "/stores/$storeId/settings": "stores update",
  "/stores/$storeId/stats": "store_stats",
  "/settings": null,
  "/settings/2fa": null,
  "/settings/api": "api_keys",
  "/settings/brand": "brand_settings",
  "/settings/audit": "audit_trail",
  "/settings/password": null,
  "/settings/roles": "team",
  "/settings/account": null,
  "/settings/sessions": null,
  "/settings/team": null,
  // Whom one can invite goes by what one may do oneself: roles.test.ts.
  "/team/invite": null,
  "/encaisser": "lookup_code",
  // Public to look at; what it leads to are functions of the server, with tests of their own.
  "/pricing": null,
};

it("every screen of the back-office says whom it is for", async () => {
  const tree = await readFile(new URL("../../web/route-tree.gen.ts", import.meta.url), "utf8");
  const list = /interface FileRoutesByFullPath \{([^}]*)\}/.exec(tree)?.[1] ?? "";
  const routes = [...list.matchAll(/'([^']+)': typeof MemberShell\w+Route\b/g)].map(([, path]) =>
    path?.replace(/\/$/, ""),
  );
  expect([...routes, "/encaisser", "/pricing"].toSorted()).toEqual(Object.keys(SCREENS).toSorted());
});

/** Sets of permissions that an owner may make a role of, by what they are called here. */
const OWN_ROLES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.values(PERMISSION_LEVELS)
      .flat()
      .map((permission) => [`only ${permission}`, [permission]]),
  ),
  ...Object.fromEntries(
    PERMISSION_SUBJECTS.map((subject) => [
      `all but ${subject}`,
      PERMISSION_SUBJECTS.filter((other) => other !== subject).flatMap(
        (other) => PERMISSION_LEVELS[other],
      ),
    ]),
  ),
};

it("a screen opens to whoever the database answers, and to nobody else", async () => {
  const wrong: string[] = [];
  const { users } = world.ours;
  for (const [role, wanted] of [
    ...ROLES.map((name) => [name, null] as const),
    ...Object.entries(OWN_ROLES),
  ]) {
    await undone(sql, async (transaction) => {
      if (wanted) {
        await become(transaction, { userId: users.owner.id });
        const [made] = await transaction<{ role: string }[]>`
          select public.save_role('À l''essai', '', ${[...wanted]}) as role`;
        await transaction`reset role`;
        await transaction`
          update public.organization_members set role = ${made?.role ?? ""} where user_id = ${users.member.id}`;
      }
      const actor = ROLES.find((name) => name === role) ?? "member";
      const rows = await transaction<{ permission: string }[]>`
        select p.permission from public.organization_members m
        join public.role_permissions p on p.role = m.role where m.user_id = ${users[actor].id}`;
      const permissions = rows.map(({ permission }) => permission);
      for (const [screen, purpose] of Object.entries(PURPOSES)) {
        if (purpose === null || !isScreen(screen)) continue;
        const cell = cells.find(({ name }) => name === purpose);
        if (!cell) throw new Error(`Nothing is called ${purpose}.`);
        const outcome = await undone(transaction, (inner) => cell.observe(inner, actor));
        const opens = mayOpen(permissions, screen);
        if (opens === isRefused(outcome))
          wrong.push(`${role}: ${screen} is ${opens ? "open" : "closed"}, ${purpose} ${outcome}`);
      }
    });
  }
  expect(wrong).toEqual([]);
});

function isScreen(name: string): name is Screen {
  return Object.hasOwn(SCREENS, name);
}
