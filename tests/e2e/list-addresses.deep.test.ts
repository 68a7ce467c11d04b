import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createCampaign } from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { haveCustomers, openAs, place } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Addresses of lists: parts that stay and parts that go when a list is narrowed down, sorted, turned or exported. */

const app = setUpTestApp();

const sortBy = (name: string) => (page: Page) =>
  page.getByRole("columnheader", { name, exact: true }).getByRole("button").click();

it("a list that is narrowed down or sorted anew begins at its first page, and keeps the rest", async () => {
  const { sql } = app;
  const shop = await createShop(sql);
  await haveCustomers(sql, shop.campaign, { cashier: shop.users.cashier, ratings: [5, 2] });
  const [first, second] = await sql`
    select id from public.customers where org_id = ${shop.id} order by name`;
  const [newest] = await sql`
    select id from public.pre_spin_reviews where org_id = ${shop.id} order by created_at desc limit 1`;
  await sql`
    select private.audit_as(${shop.id}, ${shop.users.owner.id}, 'store.created', 'store', null,
      jsonb_build_object('name', 'Magasin ' || n)) from generate_series(1, 2) n`;
  const [event] = await sql`
    select id from public.audit_events where org_id = ${shop.id} order by id desc limit 1`;
  const codes = `/rewards/${shop.reward?.id}/codes`;
  const page = await openAs(app, shop.users.owner, "/dashboard");
  const cases: readonly [path: string, act: (page: Page) => Promise<unknown>, wanted: string][] = [
    [
      `/customers?sort=name&after=${first?.id}`,
      () => page.getByPlaceholder("Rechercher un client...").fill("goff"),
      "/customers?q=goff&sort=name",
    ],
    [`/customers?q=goff&after=${second?.id}`, sortBy("Nom"), "/customers?q=goff&sort=name"],
    [
      `/reviews?state=all&after=${newest?.id}`,
      () => page.getByRole("button", { name: "Répondus", exact: true }).click(),
      "/reviews?state=answered",
    ],
    [
      "/rewards?page=2&sort=name",
      () => page.getByText("Archivées (1)").click(),
      "/rewards?archived=true&sort=name",
    ],
    ["/stores?page=2&q=comptoir", sortBy("Nom"), "/stores?q=comptoir&sort=name"],
    [
      `${codes}?page=2`,
      () => page.getByRole("radio", { name: "Utilisés" }).check({ force: true }),
      `${codes}?status=used`,
    ],
    [
      `/settings/audit?before=${event?.id}`,
      () => page.getByLabel("Action").selectOption("store.created"),
      "/settings/audit?action=store.created",
    ],
  ];
  await sql`
    insert into public.rewards (org_id, campaign_id, name, type, reward_type, archived_at)
    values (${shop.id}, ${shop.campaign.id}, 'Thé', 'gift', 'gift', now())`;
  for (const [path, act, wanted] of cases) {
    await page.goto(path);
    await act(page);
    await expect.poll(() => place(page), { message: path }).toBe(wanted);
  }
});

it("the next page of reviews begins after the last one that was shown", async () => {
  const shop = await createShop(app.sql);
  for (let n = 0; n < 27; n += 1) {
    await review(app.sql, { campaignId: shop.campaign.id, rating: 2 });
  }
  const page = await openAs(app, shop.users.owner, "/reviews");
  const rows = page.getByRole("list", { name: "Avis" }).getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(25);
  await page.getByRole("button", { name: "Suivant", exact: true }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("button", { name: "Précédent", exact: true }).click();
  await expect.poll(() => rows.count()).toBe(25);
});

it("an export of archived campaigns holds these alone", async () => {
  const shop = await createShop(app.sql);
  const { id: orgId, storeId } = shop;
  const old = await createCampaign(app.sql, { orgId, storeId, name: "Noël", active: false });
  await app.sql`update public.campaigns set archived_at = now() where id = ${old.id}`;
  const page = await openAs(app, shop.users.owner, "/campaigns?archived=true");
  await page.getByRole("heading", { name: "Noël" }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Exporter", exact: true }).click(),
  ]);
  const [, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Noël");
  // Nothing of it runs any more: its removal would stop nothing, and is no choice.
  await page.getByRole("button", { name: "Actions pour Noël" }).click();
  await page.getByRole("menuitem", { name: "Remettre en service" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Supprimer" }).count()).toBe(0);
});
