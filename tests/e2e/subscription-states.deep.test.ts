import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { PAYMENT_NOTICE_DAYS } from "#domain/rules/retention.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { daysFromNow } from "../harness/fixtures.ts";
import { checkLightAndDark } from "./support/account.ts";
import { enter, inPlain } from "./support/member.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** Section « Abonnement » and the line above every screen: what they say of a plan that ends or is not paid (specification, section 2.19). */

const app = setUpTestApp();

const ASK = "Prévenez le propriétaire ou un administrateur : eux seuls peuvent gérer l'abonnement.";

/** A day as the pages say it, where the tests' browsers are. */
const longDay = (day: Date) =>
  day
    .toLocaleDateString("fr-FR", { dateStyle: "long", timeZone: "Europe/Paris" })
    .replace(/^1 /, "1er ");

const card = (page: Page) => page.getByRole("region", { name: "Abonnement" });

/** Terms of the card with their values, and the note below them. */
async function read(page: Page) {
  await page.goto("/settings?section=subscription");
  await card(page).getByText("Statut").waitFor();
  const terms = await card(page).locator("dt").allTextContents();
  const values = await card(page).locator("dd").allTextContents();
  const notes = await card(page).getByRole("status").allTextContents();
  return {
    facts: Object.fromEntries(terms.map((term, at) => [inPlain(term), inPlain(values[at] ?? "")])),
    note: notes.map(inPlain).join(),
  };
}

const set = ({ id }: Shop, facts: Record<string, Date | string | boolean | null>) =>
  app.sql`update public.subscriptions set ${app.sql(facts)} where org_id = ${id}`;

const banner = (page: Page, text: string) =>
  page.getByRole("status").filter({ hasText: text }).first();

it("names the day that matters in each state, and says what to do to whoever can do it", async () => {
  const shop = await createShop(app.sql);
  const [end, since, closed] = [daysFromNow(5), daysFromNow(-3), daysFromNow(-2)];
  await set(shop, { stripe_customer_id: "cus_etats", current_period_end: end });
  const { page } = await app.phone();
  await enter(app, page, shop.users.owner);
  const { page: member } = await app.desktop();
  await enter(app, member, shop.users.member);
  expect(await read(page)).toEqual({
    facts: { Plan: "Pro", Statut: "Actif", "Prochaine facturation": longDay(end) },
    note: "",
  });

  await set(shop, { cancel_at_period_end: true });
  const ending = `L'abonnement s'arrête le ${longDay(end)} : plus rien ne sera débité, et vos campagnes seront fermées au public.`;
  expect(await read(page)).toEqual({
    facts: { Plan: "Pro", Statut: "Actif", "Fin de l'abonnement": longDay(end) },
    note: `${ending} Pour le garder, annulez la résiliation dans le portail de facturation.`,
  });
  await checkLightAndDark(page, "cancelled");
  expect(await read(member)).toMatchObject({ note: `${ending} ${ASK}` });
  const soon = `Votre abonnement s'arrête le ${longDay(end)}`;
  const way = banner(page, soon).getByRole("link", { name: "Voir mon abonnement" });
  await expect.poll(() => way.getAttribute("href")).toBe("/settings?section=subscription");
  await banner(member, soon).getByText(ASK).waitFor();
  expect(await banner(member, soon).getByRole("link").count()).toBe(0);

  // A day of its own, which the provider takes too: it is renewed until then.
  const later = daysFromNow(80);
  await set(shop, { cancel_at_period_end: false, cancel_at: later });
  expect(await read(page)).toEqual({
    facts: {
      ...{ Plan: "Pro", Statut: "Actif", "Fin de l'abonnement": longDay(later) },
      "Prochaine facturation": longDay(end),
    },
    note: `L'abonnement s'arrête le ${longDay(later)} : il reste renouvelé et débité jusque-là, puis vos campagnes seront fermées au public. Pour le garder, annulez la résiliation dans le portail de facturation.`,
  });
  await checkLightAndDark(page, "cancelled for later");

  // No next payment is coming, whatever the period says.
  await set(shop, {
    ...{ status: "past_due", past_due_since: since, current_period_end: daysFromNow(27) },
    cancel_at: null,
  });
  const until = longDay(new Date(since.getTime() + PAYMENT_NOTICE_DAYS * DAY_MS));
  const due = "Une facture reste à régler.";
  expect(await read(page)).toEqual({
    facts: { Plan: "Pro", Statut: "past_due", "À régler jusqu'au": until },
    note: `${due} Payez-la ou changez de carte dans le portail de facturation.`,
  });
  await checkLightAndDark(page, "past due");
  expect(await read(member)).toMatchObject({ note: `${due} ${ASK}` });
  const late = banner(member, "Votre dernier paiement n'a pas abouti.");
  await late.getByText(ASK).waitFor();
  expect(await late.getByRole("link").count()).toBe(0);
  expect(await card(member).getByRole("button").count()).toBe(0);

  await set(shop, {
    ...{ status: "suspended", past_due_since: daysFromNow(-10), closed_at: closed },
  });
  expect(await read(page)).toEqual({
    facts: { Plan: "Pro", Statut: "suspended", "Suspendu depuis le": longDay(closed) },
    note: `${due} Payez-la ou changez de carte dans le portail de facturation.`,
  });

  await set(shop, {
    ...{ status: "canceled", past_due_since: null, closed_at: closed },
  });
  expect(await read(page)).toEqual({
    facts: { Plan: "Pro", Statut: "canceled", "Fin de l'abonnement": longDay(closed) },
    note: "",
  });
  await banner(page, "Votre abonnement n'est plus actif")
    .getByRole("link", { name: "Voir les plans" })
    .waitFor();
});

it("leads from a refused change to the open bill, or says whom to ask", async () => {
  const shop = await createShop(app.sql);
  await set(shop, {
    ...{ status: "suspended", past_due_since: daysFromNow(-10), closed_at: daysFromNow(-2) },
  });
  const refused = async (page: Page) => {
    await page.goto(`/stores/${shop.storeId}/edit`);
    await page.getByLabel("Nom du magasin").fill("Ailleurs");
    await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("Votre plan n'est plus actif : vos données restent lisibles.").waitFor();
    return alert;
  };
  const { page } = await app.phone({ expected: refusing(400, 402) });
  await enter(app, page, shop.users.admin);
  const way = (await refused(page)).getByRole("link", { name: "Régler mon abonnement" });
  expect(await way.getAttribute("href")).toBe("/settings?section=subscription&pay=true");
  const { page: member } = await app.desktop({ expected: refusing(400, 402) });
  await enter(app, member, shop.users.member);
  const alert = await refused(member);
  await alert.getByText(ASK).waitFor();
  expect(await alert.getByRole("link").count()).toBe(0);
  const [store] = await app.sql`select name from public.stores where id = ${shop.storeId}`;
  expect(store?.name).toBe(shop.storeName);
});
