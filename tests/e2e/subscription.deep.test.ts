import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createCampaign, daysFromNow } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import { alerts, checkLightAndDark, titled } from "./support/account.ts";
import { joined } from "./support/channels.ts";
import { emptyFunction } from "./support/faults.ts";
import { arrives, enter } from "./support/member.ts";
import { silenceChannels } from "./support/network.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** The whole life of a subscription, in the browser and the sandbox (specification, sections 2.3, 2.4, 4.4 and 9). */

const app = setUpTestApp();

async function planOf({ id }: Shop) {
  const [row] = await app.sql<{ plan: string; billing: string; status: string }[]>`
    select plan, billing, status from public.subscriptions where org_id = ${id}`;
  return row;
}

/** Waits until the provider's message has come, and what it says of the plan. */
const becomes = (shop: Shop, expected: object) =>
  expect.poll(() => planOf(shop)).toMatchObject(expected);

/** Status of the page for a customer who scans the code now. */
const publicPage = async (page: Page, shop: Shop) =>
  (await page.request.get(`${shop.door}/review`)).status();

const facts = (page: Page) => page.getByRole("region", { name: "Abonnement" });

it("goes from the trial to Basic, Pro and the year, is not paid, suspended, paid, and runs again", async () => {
  const shop = await createShop(app.sql, { plan: "free_trial" });
  const { page } = await app.desktop({ expected: refusing(400, 402) });
  await enter(app, page, shop.users.owner);
  await page.goto("/pricing");
  await page.getByRole("button", { name: "Plan actuel" }).waitFor();
  await page.getByRole("link", { name: "Passer au plan supérieur : Basic" }).click();
  await titled(page, "Votre commande");
  await page.getByRole("status").getByText("58,80 €").waitFor();
  await page.getByRole("button", { name: "Payer", exact: true }).click();
  await titled(page, "Paiement d'essai");
  await page.getByRole("button", { name: "Payer avec une carte refusée" }).click();
  await page.getByRole("alert").getByText("La carte a été refusée").waitFor();
  await page.getByRole("button", { name: "Payer avec une carte valable" }).click();
  await page.getByText("Votre plan est à jour.").waitFor();
  expect(await planOf(shop)).toMatchObject({ plan: "basic", billing: "monthly", status: "active" });

  await page.goto("/pricing");
  await page.getByRole("link", { name: "Passer au plan supérieur : Pro" }).click();
  // The provider's message does not reach the database: nobody learns that the plan has changed.
  const mend = await emptyFunction(app.sql, "apply_subscription");
  await page.getByRole("button", { name: "Changer de plan" }).click();
  await alerts(page, "La mise à jour de l'abonnement a échoué");
  expect(await planOf(shop)).toMatchObject({ plan: "basic", billing: "monthly" });
  await mend();
  await page.getByRole("button", { name: "Réessayer" }).click();
  await page.getByRole("button", { name: "Changer de plan" }).click();
  await page.getByText("Votre plan est à jour.").waitFor();
  expect(await planOf(shop)).toMatchObject({ plan: "pro", billing: "monthly" });
  await page.goto("/checkout?plan=pro&billing=yearly");
  await page.getByText("puis 1 713,60 € TTC par an").waitFor();
  await page.getByRole("button", { name: "Changer de plan" }).click();
  await page.getByText("Votre plan est à jour.").waitFor();
  expect(await planOf(shop)).toMatchObject({ plan: "pro", billing: "yearly", status: "active" });

  await page.goto("/settings?section=data");
  // A charged subscription stands in the way of the end, and the refusal leads to where it is
  // cancelled.
  await page.getByRole("button", { name: "Supprimer l'organisation" }).click();
  const end = page.getByRole("dialog", { name: `Supprimer ${shop.name} ?` });
  await end.getByText("Votre abonnement est encore facturé.").waitFor();
  const [cancelling] = await Promise.all([
    page.waitForEvent("popup"),
    end.getByRole("button", { name: "Portail de facturation" }).click(),
  ]);
  await titled(cancelling, "Abonnement d'essai");
  await cancelling.close();
  await end.getByRole("button", { name: "Annuler" }).click();
  await page.getByRole("link", { name: "Abonnement", exact: true }).click();
  const open = facts(page).getByRole("button", { name: "Portail de facturation" });
  const [portal] = await Promise.all([page.waitForEvent("popup"), open.click()]);
  const press = (name: string) => portal.getByRole("button", { name }).click();
  await titled(portal, "Abonnement d'essai");
  // Three bills so far: the month, the rest of it on Pro, the year less what was paid.
  expect(await portal.getByRole("row").count()).toBe(4);
  await press("Enregistrer une carte refusée");
  await portal.getByText("Carte refusée", { exact: true }).waitFor();
  await press("Passer au renouvellement");
  await portal.getByText("Paiement en retard").waitFor();
  await becomes(shop, { status: "past_due" });
  const notice = await latestMail(app.server, shop.users.owner.email, {
    template: "payment_failed",
  });
  expect(notice.text).toContain("Vous avez 8 jours");
  expect(notice.text).toMatch(/Montant à régler\s: 1\s713,60\s€ TTC/);
  // The mail's button is one step from the card, and the way back asks for nothing again.
  const toPay = /\S+\/settings\?\S+/.exec(notice.text)?.[0] ?? "";
  await page.goto(toPay);
  await titled(page, "Abonnement d'essai");
  await page.getByText("Paiement en retard").waitFor();
  await page.goBack();
  await page.waitForURL((url) => url.search === "?section=subscription");
  await facts(page).getByText("past_due", { exact: true }).waitFor();
  await page.getByText("Votre dernier paiement n'a pas abouti. Sans règlement d'ici au").waitFor();
  await expect.poll(() => publicPage(page, shop)).toBe(200);

  await press("Laisser passer 8 jours");
  await becomes(shop, { status: "suspended" });
  await latestMail(app.server, shop.users.admin.email, { template: "plan_suspended" });
  await page.goto("/settings?section=subscription");
  await facts(page).getByText("suspended", { exact: true }).waitFor();
  await page.getByText("Votre abonnement est suspendu, une facture reste à régler").waitFor();
  await page.getByRole("link", { name: "Régler mon abonnement" }).click();
  await titled(page, "Abonnement d'essai");
  await page.goBack();
  await facts(page).getByText("suspended", { exact: true }).waitFor();
  await expect.poll(() => publicPage(page, shop)).toBe(404);
  // Thirty days on, where nothing else is left, the mail's button still is one step from the card.
  const since = (days: number) => app.sql`
    update public.subscriptions set past_due_since = ${daysFromNow(-days)}, closed_at = ${daysFromNow(8 - days)}
    where org_id = ${shop.id}`;
  await since(39);
  await page.goto(toPay);
  await titled(page, "Abonnement d'essai");
  await page.goBack();
  await arrives(page, "/closed");
  expect(new URL(page.url()).searchParams.has("pay")).toBe(false);
  await since(9);
  await page.goto("/settings?section=subscription");
  // Nothing is taken meanwhile, and the form says why.
  await page.getByRole("link", { name: "Organisation", exact: true }).click();
  await page.getByLabel("Nom de l'organisation").fill("Le Comptoir Neuf");
  const organization = page.getByRole("region", { name: "Organisation" });
  await organization.getByRole("button", { name: "Enregistrer" }).click();
  await organization.getByRole("alert").getByText("Votre plan n'est plus actif").waitFor();

  await press("Payer les factures en attente");
  await portal.getByRole("alert").getByText("La carte a été refusée").waitFor();
  await press("Enregistrer une carte valable");
  await portal.getByText("Carte valable", { exact: true }).waitFor();
  await press("Payer les factures en attente");
  await portal.getByText("En attente", { exact: true }).waitFor({ state: "detached" });
  await becomes(shop, { plan: "pro", billing: "yearly", status: "active" });
  await organization.getByRole("button", { name: "Enregistrer" }).click();
  await organization.getByText("Enregistré.").waitFor();
  await page.goto("/settings?section=subscription");
  await facts(page).getByText("Actif", { exact: true }).waitFor();
  expect(await page.getByText("Votre abonnement est suspendu").count()).toBe(0);
  await expect.poll(() => publicPage(page, shop)).toBe(200);
});

it("lets the merchant choose what stays on a smaller plan, and takes the rest up again on a larger one", async () => {
  const shop = await createShop(app.sql, { plan: "free_trial" });
  const { page } = await app.phone({ expected: refusing(400) });
  await enter(app, page, shop.users.admin);
  await page.goto("/checkout?plan=pro&billing=monthly");
  await page.getByRole("button", { name: "Payer", exact: true }).click();
  await page.getByRole("button", { name: "Payer avec une carte valable" }).click();
  await page.getByText("Votre plan est à jour.").waitFor();
  const names = ["Été", "Automne", "Hiver"];
  const { id: orgId, storeId } = shop;
  for (const name of names) await createCampaign(app.sql, { orgId, storeId, name });
  const active = async () => {
    const rows = await app.sql<{ name: string }[]>`
      select name from public.campaigns where org_id = ${orgId} and active `;
    return rows.map(({ name }) => name).toSorted();
  };

  await page.goto("/checkout?plan=basic&billing=monthly");
  await page.getByText("Ce plan permet 3 campagnes actives.").waitFor();
  const change = page.getByRole("button", { name: "Changer de plan" });
  expect(await change.isDisabled()).toBe(true);
  for (const name of ["Été", "Automne", "La roue du comptoir"]) {
    await page.getByRole("checkbox", { name }).check();
  }
  await page.getByText("3 sur 3 choisies").waitFor();
  expect(await page.getByRole("checkbox", { name: "Hiver" }).isDisabled()).toBe(true);
  await checkLightAndDark(page, "keep campaigns");
  await page.getByRole("checkbox", { name: "Automne" }).uncheck();
  await page.getByRole("checkbox", { name: "Hiver" }).check();
  await change.click();
  await page.getByText("Votre plan est à jour.").waitFor();
  expect(await active()).toEqual(["Hiver", "La roue du comptoir", "Été"].toSorted());

  const [resting] = await app.sql<{ id: string }[]>`
    select id from public.campaigns where org_id = ${orgId} and not active`;
  await page.goto(`/campaigns/${resting?.id}/edit`);
  const toggle = page.getByRole("switch", { name: "Campagne active" });
  // By the keyboard: what loads above it may move the switch away from a press.
  await toggle.press("Space");
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await page
    .getByRole("alert")
    .getByText("votre plan ne permet pas plus de campagnes actives à la fois")
    .waitFor();
  expect(await active()).toHaveLength(3);
  const plans = page.getByRole("alert").getByRole("link", { name: "Voir les plans" });
  expect(await plans.getAttribute("href")).toBe("/pricing");
  await page.goto("/checkout?plan=pro&billing=monthly");
  await page.getByRole("button", { name: "Changer de plan" }).click();
  await page.getByText("Votre plan est à jour.").waitFor();
  await page.goto(`/campaigns/${resting?.id}/edit`);
  await toggle.press("Space");
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await page.getByText("Campagne mise à jour avec succès").waitFor();
  expect(await active()).toHaveLength(4);
});

it("closes the back-office 30 days after the end, but not the way back", async () => {
  const shop = await createShop(app.sql);
  await app.sql`
    update public.subscriptions set status = 'suspended', closed_at = ${daysFromNow(-31)},
      past_due_since = ${daysFromNow(-39)}, stripe_customer_id = 'cus_ferme', stripe_subscription_id = 'sub_ferme'
    where org_id = ${shop.id}`;
  const { page } = await app.phone();
  await silenceChannels(page);
  await enter(app, page, shop.users.owner);
  await page.goto("/customers");
  await arrives(page, "/closed");
  await titled(page, "Votre espace est fermé");
  await page.getByRole("button", { name: "Portail de facturation" }).waitFor();
  await checkLightAndDark(page, "closed");
  await page.getByRole("button", { name: "Supprimer l'organisation" }).click();
  const dialog = page.getByRole("dialog", { name: `Supprimer ${shop.name} ?` });
  await dialog.getByText("1 campagne").waitFor();
  await dialog.getByRole("button", { name: "Annuler" }).click();
  // One's own data are not the organisation's.
  await page.getByRole("link", { name: "Mes données et mon compte" }).click();
  await titled(page, "Mes données");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Télécharger" }).click();
  expect((await download).suggestedFilename()).toMatch(/^tournavis-mes-donnees-/);
  await page.goto("/closed");
  await titled(page, "Votre espace est fermé");
  await app.sql`
    update public.subscriptions set status = 'active', closed_at = null, past_due_since = null
    where org_id = ${shop.id}`;
  await page.getByRole("button", { name: "J'ai réglé : rouvrir" }).click();
  await arrives(page, "/dashboard");
  // All that it asks for has come: what it would ask for later is refused.
  await page.getByText("Scans totaux").waitFor();
  await app.sql`
    update public.subscriptions set status = 'canceled', closed_at = ${daysFromNow(-31)}
    where org_id = ${shop.id}`;
  await page.goto("/settings");
  await arrives(page, "/closed");
  const plans = page.getByRole("link", { name: "Choisir un plan" });
  expect(await plans.getAttribute("href")).toBe("/pricing");
});

it("opens the back-office by itself to an owner and a member when somebody has paid elsewhere", async () => {
  const shop = await createShop(app.sql);
  const { owner, member } = shop.users;
  await app.sql`
    update public.subscriptions set status = 'suspended', closed_at = ${daysFromNow(-31)},
      past_due_since = ${daysFromNow(-39)} where org_id = ${shop.id}`;
  const opened = [];
  for (const user of [owner, member]) {
    const { page } = await app.phone();
    await enter(app, page, user);
    const ready = joined(page, "plan");
    await page.goto("/closed");
    await titled(page, "Votre espace est fermé");
    await ready;
    opened.push(page);
  }
  // A bill that is no longer owed opens nothing.
  await app.sql`update public.subscriptions set status = 'canceled' where org_id = ${shop.id}`;
  await opened[0]?.getByRole("link", { name: "Choisir un plan" }).waitFor();
  await app.sql`
    update public.subscriptions set status = 'active', closed_at = null, past_due_since = null
    where org_id = ${shop.id}`;
  for (const page of opened) {
    await arrives(page, "/dashboard");
    await page.getByText("Scans totaux").waitFor();
  }
});
