import { expect, it } from "vitest";
import { arriveAt, field, goToWheel, rate, somebody, win } from "./support/customer.ts";
import { loseRequest } from "./support/network.ts";
import { createShop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

it("a prize of somebody who gave a number goes to the address that they write, once", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({
    expected: (problem) => lost("/mail_prize")(problem) || refusing(400, 409, 422)(problem),
  });
  await rate(page, shop, 5, { ...somebody(), phone: "06 12 34 56 78" });
  await arriveAt(page, "ready");
  await goToWheel(page);
  await win(page);
  const mails = () => app.sql`
    select recipient from private.outbox where recipient = 'zoe@exemple.fr'`;

  await page.getByRole("button", { name: "Me l'envoyer par e-mail" }).click();
  await page.getByText("À quelle adresse ?").waitFor();
  const send = page.getByRole("button", { name: "Envoyer", exact: true });
  const address = field(page, "Adresse e-mail");
  await send.click();
  await page.getByText("L'email est requis").waitFor();
  await address.fill("zoe@exemple");
  await send.click();
  await page.getByText("Format d'email invalide").waitFor();
  expect(await page.getByText("L'email est requis").count()).toBe(0);
  await address.fill("zoe@exemple.fr");
  await loseRequest(page, "**/functions/v1/mail_prize");
  await send.click();
  await page
    .getByText("Sans connexion, l'e-mail ne part pas. Réessayez quand elle revient.")
    .waitFor();
  expect(await address.inputValue()).toBe("zoe@exemple.fr");
  await send.click();
  await page.getByText(/^Envoyé à .+\. Regardez aussi dans les indésirables\.$/).waitFor();
  expect(await address.count()).toBe(0);
  expect(await page.getByRole("button", { name: "Me l'envoyer par e-mail" }).count()).toBe(0);
  expect(await mails()).toHaveLength(1);
});
