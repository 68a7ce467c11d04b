import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { openAs } from "./support/member.ts";
import { decide, statesOf, suspiciousShop } from "./support/prize-checks.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** « Gains à vérifier »: how a merchant hears of them, what they do, and what the till says of a prize that is held back. */

const app = setUpTestApp();

it("six names on one phone show on the dashboard, held back in two clicks, undone in one, cancelled in two", async () => {
  const { shop, code } = await suspiciousShop(app.sql);
  const page = await openAs(app, shop.users.member, "/dashboard");
  let clicks = 0;
  const click = async (control: Locator) => {
    clicks += 1;
    await control.click();
  };
  const taken = () => {
    const count = clicks;
    clicks = 0;
    return count;
  };
  await page.getByRole("heading", { name: "Des gains sont à vérifier" }).waitFor();
  const navigation = page.getByRole("navigation", { name: "Navigation principale" });
  await navigation.getByRole("link", { name: "Récompenses 1 à vérifier" }).waitFor();
  await click(page.getByRole("link", { name: "Vérifier ces gains" }));
  await page.getByRole("heading", { name: "Un même appareil a joué sous 8 noms" }).waitFor();
  await page.getByText("6 gains et 2 tours perdus").waitFor();
  await click(page.getByRole("button", { name: "Mettre en attente", exact: true }));
  await page.getByText("6 gains en attente.").waitFor();
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("held"));
  expect(taken()).toBe(2);
  await click(page.getByRole("button", { name: "Rétablir les gains" }));
  await page.getByText("6 gains de nouveau valables.").waitFor();
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("available"));
  expect(taken()).toBe(1);
  await page.getByRole("button", { name: "Mettre en attente", exact: true }).click();
  await page.getByText("6 gains en attente.").waitFor();

  await page.goto("/encaisser");
  await page.getByRole("textbox", { name: "Code du client" }).fill(code);
  await page.getByRole("button", { name: "Vérifier le code" }).click();
  await page.getByRole("heading", { name: "À vérifier" }).waitFor();
  expect(await page.getByRole("button", { name: "Valider le gain" }).count()).toBe(0);
  // The till leads there; without that address the section is closed.
  await page.getByRole("link", { name: "Voir les gains à vérifier" }).click();
  await page.getByRole("heading", { name: "Un même appareil a joué sous 8 noms" }).waitFor();
  await page.goto("/rewards");
  await page.getByText("1 groupe de gains sort de l'ordinaire.").waitFor();
  await page.getByRole("button", { name: "Vérifier", exact: true }).click();
  await page.getByText("Voir les gains").click();
  await page.getByRole("button", { name: `Rétablir : ${code}` }).click();
  await page.getByText("1 gain de nouveau valable.").waitFor();
  await click(page.getByRole("button", { name: "Annuler les gains" }));
  await click(page.getByRole("dialog").getByRole("button", { name: "Annuler les gains" }));
  await page.getByText("Rien d'inhabituel en ce moment.").waitFor();
  expect(taken()).toBe(2);
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("cancelled"));
  // In the place of the group stands what became of it, and the way back.
  await page.getByText("6 gains annulés et remis en stock.").waitFor();
  await click(page.getByRole("button", { name: "Rétablir les gains" }));
  await page.getByText("6 gains de nouveau valables.").waitFor();
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("available"));
  expect(taken()).toBe(1);
  await page.getByRole("button", { name: "Annuler les gains" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Annuler les gains" }).click();
  await page.getByText("Rien d'inhabituel en ce moment.").waitFor();
  // The navigation counts no more what was dealt with.
  await expect.poll(() => navigation.getByText("à vérifier").count()).toBe(0);
  await page.getByText("Traités", { exact: true }).click();
  await page.getByRole("button", { name: "Rétablir les gains" }).click();
  await page.getByText("1 groupe de gains sort de l'ordinaire.").waitFor();
});

it("of an organisation that waits to be erased only a way to release prizes is offered, which the till then takes", async () => {
  const { shop, code } = await suspiciousShop(app.sql);
  await decide(app, shop, "hold");
  await app.sql`update public.organizations set erase_at = now() + interval '20 days' where id = ${shop.id}`;
  await app.sql`update public.subscriptions set is_ending = true where org_id = ${shop.id}`;
  const page = await openAs(app, shop.users.member, "/rewards#a-verifier");
  await page.getByRole("heading", { name: "Un même appareil a joué sous 8 noms" }).waitFor();
  const actions = page.getByRole("group", { name: "Un même appareil a joué sous 8 noms" });
  expect(await actions.getByRole("button").allInnerTexts()).toEqual(["Rétablir les gains"]);
  await actions.getByRole("button", { name: "Rétablir les gains" }).click();
  await page.getByText("6 gains de nouveau valables.").waitFor();
  expect(await statesOf(app.sql, shop)).toEqual(Array(6).fill("available"));
  await page.getByText("Voir les gains").click();
  await page.getByText(code).waitFor();
  expect(await page.getByRole("button", { name: "Mettre en attente" }).count()).toBe(0);
  await page.goto("/encaisser");
  await page.getByRole("textbox", { name: "Code du client" }).fill(code);
  await page.getByRole("button", { name: "Vérifier le code" }).click();
  await page.getByRole("button", { name: "Valider le gain" }).click();
  await expect.poll(() => statesOf(app.sql, shop)).toContain("used");
});
