import { expect, it } from "vitest";
import type { RolePermission } from "#domain/rules/permissions.ts";
import { giveRole } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, enter, haveCustomers } from "./support/member.ts";
import { wrongIn } from "./support/permissions.ts";
import { createShop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { codeField } from "./support/till.ts";

/** Roles with few permissions: which rows the database shows them is in `personal-data.test.ts`. */

const app = setUpTestApp();

it("whoever may not see customers reads figures and « un client », and meets no way that is closed", async () => {
  const { sql } = app;
  const { campaign, reward, ...shop } = await createShop(sql);
  await haveCustomers(sql, campaign, { cashier: shop.users.cashier, ratings: [2, 5] });
  const permissions = ["activity.read", "campaigns.read", "rewards.read", "stores.read"];
  const role = await giveRole(sql, shop.users.member, { orgId: shop.id, permissions });
  const codes = await sql<{ code: string }[]>`
    select code from public.redemptions where org_id = ${shop.id} and status = 'available'`;
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);

  await page.goto("/dashboard");
  const main = page.getByRole("main");
  await main
    .getByText(/^Un client • Il y a/)
    .first()
    .waitFor();
  await main.getByRole("heading", { name: "Un client" }).waitFor();
  expect(await wrongIn(page, permissions)).toEqual([]);
  await checkLightAndDark(page, "the dashboard without customers");
  await main.getByRole("link", { name: /^Voir la campagne/ }).click();
  await titled(page, "La roue du comptoir");
  await page.getByRole("list", { name: "Avis récents" }).getByText("Un client").first().waitFor();
  expect(await wrongIn(page, permissions)).toEqual([]);

  await page.goto("/rewards");
  await titled(page, "Récompenses");
  await page.getByRole("heading", { name: "Café offert" }).waitFor();
  expect(await page.getByRole("link", { name: /^Codes/ }).count()).toBe(0);
  expect(await wrongIn(page, permissions)).toEqual([]);
  await page.goto(`/rewards/${reward?.id}/codes`);
  await titled(page, "Vous n'avez pas accès à cette page");

  // With the list of codes there is no column of people that would stand empty.
  await sql`insert into public.role_permissions (role, org_id, permission) values (${role}, ${shop.id}, 'codes.read')`;
  await page.reload();
  await titled(page, "Codes : Café offert");
  await page
    .getByRole("row")
    .filter({ hasText: codes[0]?.code ?? "none" })
    .waitFor();
  await page.getByRole("columnheader", { name: "Émis le" }).waitFor();
  expect(await page.getByRole("columnheader", { name: "Client" }).count()).toBe(0);
  expect(await main.textContent()).not.toMatch(/Anaïs|Anonyme/);
  await page.getByPlaceholder("Début du code...").fill("Anaïs");
  await page.getByText("Aucun code trouvé").waitFor();
});

/** Each right that opens more than figures and stores, by itself: the page and the link that lead to what it is for, and its title. */
const WAYS: readonly [
  permission: RolePermission,
  from: string,
  link: string | RegExp,
  title: string,
][] = [
  ["codes.redeem", "/stores", "Caisse", "Encaisser un gain"],
  ["team.read", "/settings", "Rôles personnalisés", "Rôles"],
  ["team.manage", "/settings/team", "Inviter un membre", "Inviter un membre"],
  ["audit.read", "/settings", "Journal d'activité", "Journal d'activité"],
  ["api.manage", "/settings", "Clés d'API", "API"],
  ["organization.update", "/settings", "Logo et couleur", "Votre marque"],
  [
    "billing.manage",
    "/settings?section=subscription",
    "Changer de plan",
    "Des prix simples, sans surprise",
  ],
  ["codes.read", "/rewards", /^Codes/, "Codes : Café offert"],
  ["stores.write", "/stores", "Nouveau magasin", "Nouveau magasin"],
];

it.each(WAYS)(
  "whoever may %s alone finds on %s « %s », and nothing that is closed",
  async (permission, from, link, title) => {
    const { campaign, ...shop } = await createShop(app.sql);
    await haveCustomers(app.sql, campaign, { cashier: shop.users.cashier, ratings: [2] });
    const { owner, member } = shop.users;
    // Reading the stores brings the way into the back-office, which the till alone does without.
    await app.server.database.as({ userId: owner.id }, async (sql) => {
      const [made] = await sql<{ role: string }[]>`
      select public.save_role('Essai', '', ${[permission, "stores.read"]}) as role`;
      await sql`select public.change_member_role(${member.id}, ${made?.role ?? ""})`;
    });
    const rows = await app.sql<{ permission: string }[]>`
    select p.permission from public.organization_members m
    join public.role_permissions p on p.role = m.role where m.user_id = ${member.id}`;
    const permissions = rows.map((row) => row.permission);
    const { page } = await app.desktop();
    await enter(app, page, member);
    const meetsNothingClosed = async () => {
      const wrong = await wrongIn(page, permissions);
      expect(wrong.filter((name) => name.startsWith("/"))).toEqual([]);
    };
    await page.goto("/dashboard");
    await page.getByRole("heading", { name: "Un avis à 2 étoiles vous attend" }).waitFor();
    await meetsNothingClosed();
    await page.goto(from);
    await page.getByRole("link", { name: link, exact: true }).waitFor();
    await meetsNothingClosed();
    await page.goto(from);
    await page.getByRole("link", { name: link, exact: true }).click();
    await titled(page, title);
  },
);

it("whoever may manage keys is offered those alone that their role opens, and reads what is missing for any", async () => {
  const { storeId, ...shop } = await createShop(app.sql);
  const permissions = ["activity.read", "api.manage", "stores.read"];
  const role = await giveRole(app.sql, shop.users.member, { orgId: shop.id, permissions });
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  await page.goto("/settings/api");
  await page.getByText("Une clé ne donne que les droits que vous avez vous-même.").waitFor();
  expect(await page.getByRole("button", { name: "Créer une clé" }).count()).toBe(0);

  await app.sql`insert into public.role_permissions (role, org_id, permission) values (${role}, ${shop.id}, 'codes.redeem')`;
  await page.reload();
  await page.getByRole("button", { name: "Créer une clé" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Nom" }).fill("Caisse du centre");
  expect(await dialog.getByRole("radio").count()).toBe(1);
  expect(await dialog.getByRole("radio", { name: "Caisse" }).isChecked()).toBe(true);
  await dialog.getByRole("combobox", { name: "Magasin" }).selectOption(storeId);
  await dialog.getByRole("button", { name: "Créer la clé" }).click();
  await dialog.getByRole("textbox", { name: "Clé « Caisse du centre »" }).waitFor();
});

it("whoever may only look is asked to fill in nothing that others see empty", async () => {
  const { campaign, storeId, ...shop } = await createShop(app.sql);
  await haveCustomers(app.sql, campaign, { cashier: shop.users.cashier, ratings: [2] });
  const permissions = ["activity.read", "rewards.read", "stores.read"];
  await giveRole(app.sql, shop.users.member, { orgId: shop.id, permissions });
  const { page } = await app.desktop();
  await enter(app, page, shop.users.member);
  for (const [path, part] of [
    ["/dashboard", "Ce que ça rapporte"],
    [`/campaigns/${campaign.id}`, "Retour sur investissement"],
    [`/stores/${storeId}/stats`, "Page publique"],
    ["/rewards/points", "Les points gagnés ne s'échangent encore contre rien"],
  ] as const) {
    await page.goto(path);
    await page.getByText(part, { exact: true }).waitFor();
    expect(await page.getByRole("main").textContent(), path).not.toMatch(
      /Indiquez|Recopiez|dites ce qu/,
    );
  }
});

it("whoever lacks one right finds the buttons beside the one that needs it, and not that one", async () => {
  const { campaign, ...shop } = await createShop(app.sql);
  const { member, admin, cashier } = shop.users;
  await haveCustomers(app.sql, campaign, { cashier, ratings: [2] });
  const [customer] = await app.sql`select id from public.customers where org_id = ${shop.id}`;
  const reads = ["activity", "campaigns", "rewards", "stores", "customers", "reviews"].map(
    (subject) => `${subject}.read`,
  );
  const pageOf = async (user: typeof member, permissions: readonly string[]) => {
    await giveRole(app.sql, user, { orgId: shop.id, permissions: [...reads, ...permissions] });
    const { page } = await app.desktop();
    await enter(app, page, user);
    return page;
  };
  const page = await pageOf(member, ["campaigns.write", "customers.delete", "reviews.write"]);
  // A copy comes with its rewards.
  await page.goto("/campaigns");
  await page.getByRole("button", { name: "Actions pour La roue du comptoir" }).click();
  await page.getByRole("menuitem", { name: "Modifier" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Dupliquer" }).count()).toBe(0);
  // Data to take away hold codes.
  await page.goto(`/customers/${customer?.id}`);
  await page.getByRole("button", { name: "Effacer" }).waitFor();
  expect(await page.getByRole("button", { name: "Exporter" }).count()).toBe(0);
  // Being seen is the customer's.
  await page.goto("/reviews");
  await page.getByRole("list", { name: "Avis" }).getByRole("button").click();
  await page.getByRole("button", { name: "Répondre", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Marquer comme vu" }).count()).toBe(0);
  // A code that was used is taken back at a till alone.
  const other = await pageOf(admin, ["codes.read", "rewards.write"]);
  await other.goto(`/rewards/${shop.reward?.id}/codes`);
  await other.getByText("Utilisé", { exact: true }).waitFor();
  await other.getByRole("button", { name: /^Copier/ }).waitFor();
  expect(await other.getByRole("button", { name: /^Annuler la validation/ }).count()).toBe(0);
});

it("whoever may only look finds no column of a table without anything in it", async () => {
  const { campaign, ...shop } = await createShop(app.sql);
  await haveCustomers(app.sql, campaign, { cashier: shop.users.cashier, ratings: [5] });
  const subjects = ["activity", "campaigns", "rewards", "stores", "customers", "codes"];
  const permissions = subjects.map((subject) => `${subject}.read`);
  await giveRole(app.sql, shop.users.member, { orgId: shop.id, permissions });
  const { page } = await app.desktop({ context: { viewport: { width: 1600, height: 900 } } });
  await enter(app, page, shop.users.member);
  for (const path of [
    "/campaigns",
    "/rewards",
    "/stores",
    "/customers",
    `/rewards/${shop.reward?.id}/codes`,
  ]) {
    await page.goto(path);
    await page.getByRole("table").waitFor();
    const empty = await page.getByRole("table").evaluate((table) => {
      const [head, ...rows] = Array.from(table.querySelectorAll("tr"));
      return Array.from(head?.children ?? [], (heading, n) => ({
        heading: heading.textContent,
        isFilled: rows.some((row) => (row.children[n]?.innerHTML ?? "") !== ""),
      })).flatMap(({ heading, isFilled }) => (isFilled ? [] : [heading]));
    });
    expect(empty, path).toEqual([]);
  }
});

it("whoever becomes a cashier while a form is open reads at the till that their role has changed", async () => {
  const shop = await createShop(app.sql);
  const { member } = shop.users;
  const { page } = await app.desktop({ expected: refusing(403) });
  await enter(app, page, member);
  await page.goto("/campaigns/new");
  await page.getByLabel("Nom de la campagne").fill("Printemps");
  await app.sql`update public.organization_members set role = 'cashier' where user_id = ${member.id}`;
  await page.getByRole("button", { name: "Créer la campagne" }).click();
  await arrives(page, "/encaisser");
  const news = page.getByText(
    /^Votre rôle dans l'équipe a changé : vous travaillez maintenant à la caisse\./,
  );
  await news.waitFor();
  await page.reload();
  await codeField(page).waitFor();
  expect(await news.count()).toBe(0);
});

it("whoever becomes the cashier of a team whose store is archived reads both", async () => {
  const shop = await createShop(app.sql);
  const { member } = shop.users;
  const { page } = await app.desktop({ expected: refusing(400, 403) });
  await enter(app, page, member);
  await page.goto("/campaigns/new");
  await page.getByLabel("Nom de la campagne").fill("Printemps");
  await app.sql`update public.stores set archived_at = now() where id = ${shop.storeId}`;
  await app.sql`update public.organization_members set role = 'cashier' where user_id = ${member.id}`;
  await page.getByRole("button", { name: "Créer la campagne" }).click();
  await titled(page, "Magasin archivé");
  await page
    .getByText(/^Votre rôle dans l'équipe a changé : .* Votre magasin est archivé\./)
    .waitFor();
});
