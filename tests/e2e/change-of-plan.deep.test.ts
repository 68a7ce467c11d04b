import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createOrganization, type Organization } from "../harness/fixtures.ts";
import { alerts, checkLightAndDark } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { enter } from "./support/member.ts";
import { holdRequests } from "./support/network.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/**
 * Cost of a change of plan today: shown to the cent before anything can be pressed, and charged as
 * shown.
 */

const app = setUpTestApp();
const DAY = 86_400;

/** Subscribes an organisation on the provider's page, as if a part of the period had passed. */
async function subscribe(page: Page, org: Organization, plan: string, days: number): Promise<void> {
  await page.goto(`/checkout?plan=${plan}`);
  await page.getByRole("button", { name: "Payer", exact: true }).click();
  await page.getByRole("button", { name: "Payer avec une carte valable" }).click();
  await page.getByText("Votre plan est à jour.").waitFor();
  for (const edge of ["start", "end"]) {
    await app.sql`
      update private.payment_sandbox p
      set body = jsonb_set(p.body, ${app.sql.array(["items", "data", "0", `current_period_${edge}`], 25)},
        to_jsonb((p.body #>> ${app.sql.array(["items", "data", "0", `current_period_${edge}`], 25)})::bigint - ${days * DAY}))
      from public.subscriptions s
      where s.org_id = ${org.id} and p.id = s.stripe_subscription_id`;
  }
}

const figure = (page: Page) => page.getByRole("status").filter({ hasText: "aujourd'hui" });
const confirm = (page: Page) => page.getByRole("button", { name: "Changer de plan" });

/** Cents of an amount as people read it. */
const centsOf = (text: string) =>
  Number(/-?[\d\s]+,\d\d(?=\s€)/u.exec(text)?.[0].replaceAll(/[\s,]/gu, "") ?? Number.NaN);

/** Amount shown as due, and the sum of its parts, once they are there. */
async function shown(page: Page): Promise<{ due: number; sum: number }> {
  await expect.poll(() => figure(page).textContent()).toMatch(/\d,\d\d\s€/);
  const parts = await page.locator("dl dd").allTextContents();
  const sum = parts.reduce((total, part) => total + centsOf(part), 0);
  return { due: centsOf((await figure(page).textContent()) ?? ""), sum };
}

/** Last charge of an organisation's card, and the number of bills. */
async function charged({ id }: Organization) {
  const [row] = await app.sql<{ bills: number; last: number }[]>`
    select count(*)::int as bills, (array_agg((p.body ->> 'amount_due')::int order by p.serial desc))[1] as last
    from private.payment_sandbox p join public.subscriptions s on s.stripe_customer_id = p.customer_id
    where s.org_id = ${id} and p.kind = 'invoice'`;
  return row;
}

it("the price of a new plan is shown before it can be confirmed, with its parts and what follows, and is charged as shown", async () => {
  const org = await createOrganization(app.sql, { plan: "free_trial" });
  const { page } = await app.phone({ expected: refusing(409, 502) });
  await enter(app, page, org.users.owner);
  await page.goto("/checkout?plan=basic");
  expect(await shown(page)).toEqual({ due: 5_880, sum: 5_880 });
  await page.getByText("puis 58,80 € TTC par mois", { exact: true }).waitFor();
  await subscribe(page, org, "basic", 10);

  const release = await holdRequests(page, "**/functions/v1/update-subscription");
  await page.goto("/checkout?plan=pro");
  await figure(page).getByText("Calcul du montant…").waitFor();
  expect(await confirm(page).isDisabled()).toBe(true);
  const place = await confirm(page).boundingBox();
  release();
  const first = await shown(page);
  expect(first.sum).toBe(first.due);
  // Two thirds of a month, more or less, of the difference of 120 € with tax.
  expect(first.due).toBeGreaterThan(7_500);
  expect(first.due).toBeLessThan(8_500);
  await expect.poll(() => confirm(page).isDisabled()).toBe(false);
  await page
    .getByText(/^puis 178,80\s€ TTC par mois à partir du \d+(er)? \p{L}+ \d{4}$/u)
    .waitFor();
  expect(Math.abs(((await confirm(page).boundingBox())?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(
    50,
  );
  await checkLightAndDark(page, "change of plan");

  // The provider gives a credit meanwhile: what was shown is no longer what would be charged.
  await app.sql`
    update private.payment_sandbox p set body = p.body || '{"balance": -1000}'
    from public.subscriptions s where s.org_id = ${org.id} and p.id = s.stripe_customer_id`;
  await confirm(page).click();
  await alerts(
    page,
    "Le montant affiché n'est plus à jour : rien n'a été débité. Vérifiez le nouveau montant, puis réessayez.",
  );
  expect(await charged(org)).toEqual({ bills: 1, last: 5_880 });
  await page.getByText("Avoir utilisé").waitFor();
  const second = await shown(page);
  expect(second.sum).toBe(second.due);
  await page.getByRole("button", { name: "Réessayer" }).click();
  await confirm(page).click();
  await page.getByText("Votre plan est à jour.").waitFor();
  expect(await charged(org)).toEqual({ bills: 2, last: second.due });
  await page.getByText("Payé aujourd'hui").waitFor();
  expect((await shown(page)).due).toBe(second.due);

  // The smaller plan costs nothing today, and leaves a credit.
  await page.goto("/checkout?plan=basic");
  expect(await shown(page)).toEqual({ due: 0, sum: 0 });
  await page.getByText("Mis en avoir", { exact: true }).waitFor();
  await page.getByText(/^Avoir restant : .+, déduit de vos prochaines factures\.$/).waitFor();
  await checkLightAndDark(page, "smaller plan");
});

it("an unknown price shows no figure, says what to do, and cannot be confirmed", async () => {
  const org = await createOrganization(app.sql, { plan: "free_trial" });
  const { page } = await app.desktop({ expected: refusing(409, 502) });
  await enter(app, page, org.users.admin);
  await subscribe(page, org, "pro", 3);
  const mend = await breakFunction(app.sql, "begin_billing");
  await page.goto("/checkout?plan=pro&billing=yearly");
  await alerts(page, "Le montant à payer n'a pas pu être calculé. Réessayez dans un instant.");
  expect(await figure(page).textContent()).not.toMatch(/\d/);
  expect(await confirm(page).isDisabled()).toBe(true);
  await checkLightAndDark(page, "unknown amount");
  await mend();
  await page.getByRole("button", { name: "Réessayer" }).click();
  const { due, sum } = await shown(page);
  expect(sum).toBe(due);
  const repair = await breakFunction(app.sql, "begin_billing");
  await confirm(page).click();
  await alerts(page, "Erreur lors de la mise à jour de l'abonnement");
  expect(await confirm(page).isDisabled()).toBe(true);
  await repair();
  await page.getByRole("button", { name: "Réessayer" }).click();
  expect((await shown(page)).due).toBe(due);
  await confirm(page).click();
  await page.getByText("Votre plan est à jour.").waitFor();
  expect(await charged(org)).toEqual({ bills: 2, last: due });

  // A member who may not pay is refused, and nobody asks the provider for them.
  const { page: theirs, requests } = await withRequests();
  await enter(app, theirs, org.users.member);
  await theirs.goto("/checkout?plan=basic");
  await alerts(
    theirs,
    "Vous devez être propriétaire ou administrateur d'une organisation pour souscrire à un plan",
  );
  const button = theirs.getByRole("button", { name: "Payer", exact: true });
  expect(await button.isDisabled()).toBe(true);
  expect(requests.filter((url) => url.includes("update-subscription"))).toEqual([]);
});

async function withRequests() {
  const { page } = await app.phone();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  return { page, requests };
}
