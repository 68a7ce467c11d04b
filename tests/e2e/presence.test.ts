import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import {
  arriveAt,
  codeOn,
  field,
  goToWheel,
  press,
  pressSpin,
  rate,
  win,
} from "./support/customer.ts";
import { lookEverywhere } from "./support/looks.ts";
import { enter } from "./support/member.ts";
import { readQrCode } from "./support/qr.ts";
import { activity, createShop, type Shop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";
import { openTill } from "./support/till.ts";

/** Proof of presence: how a merchant asks for it, what the till shows, and how a customer gives it on a phone. */

const app = setUpTestApp();

/** Asks for the word of the day, which no second of a test changes. Answers it. */
async function askForWord(shop: Shop): Promise<string> {
  await app.sql`
    insert into private.check_settings (org_id, campaign_id, presence) values (${shop.id}, ${shop.campaign.id}, 'word')`;
  const [row] = await app.sql<{ word: string }[]>`
    select private.presence_word(presence_key, (now() at time zone 'Europe/Paris')::date) as word
    from private.check_settings where campaign_id = ${shop.campaign.id}`;
  return row?.word ?? "";
}

it("a merchant asks for the turning code, and the till shows it with a QR code that leads to the game", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.desktop();
  await enter(app, page, shop.users.owner);
  await page.goto("/rewards#a-verifier");
  await page.getByText("Réglages", { exact: true }).click();
  await page
    .getByLabel("Preuve de présence")
    .selectOption({ label: "Code qui change, à la caisse" });
  await page.getByText("Une photo ne sert plus après 90 secondes.", { exact: false }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await page.getByText("Réglages enregistrés.").waitFor();

  const till = await app.phone();
  await openTill(app, till.page, shop.users.cashier);
  await till.page.getByRole("button", { name: "Code à afficher" }).click();
  const dialog = till.page.getByRole("dialog");
  await dialog.getByText(/^\d{3}\s\d{3}$/).waitFor();
  const code = dialog.getByRole("img", { name: "QR code qui prouve que l'on est sur place" });
  await code.waitFor();
  // Which code it is depends on the second.
  expect(await readQrCode(code)).toMatch(
    new RegExp(`/c/${shop.campaign.slug}/play\\?source=qr#p=\\d{6}$`),
  );
  expect(await accessibilityProblems(till.page)).toEqual([]);
  await dialog.getByRole("button", { name: "Fermer" }).click();
  await till.page.getByRole("button", { name: "Code à afficher" }).waitFor();
});

it("a customer types the word of the day before the wheel turns, and nobody gets around it", async () => {
  const shop = await createShop(app.sql);
  const word = await askForWord(shop);
  const { page } = await app.phone({ expected: refusing(422) });
  await rate(page, shop, 4);
  await goToWheel(page);
  await pressSpin(page);
  await page.getByRole("heading", { name: "Vous êtes sur place ?" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await lookEverywhere(page, "presence on a phone");
  await field(page, "Mot du jour").fill("pomme 1");
  await press(page, "Valider et lancer la roue");
  await page.getByText("Ce n'est pas ce qui est affiché en ce moment.", { exact: false }).waitFor();
  expect(await field(page, "Mot du jour").inputValue()).toBe("pomme 1");

  const direct = await fetch(`${app.server.url}/functions/v1/spin_wheel`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      campaign_id: shop.campaign.id,
      play_id: randomUUID(),
      contact: { name: "Zoé", email: "zoe@exemple.fr" },
      device_fp: "ab".repeat(32),
    }),
  });
  expect(direct.status).toBe(403);
  expect(await direct.json()).toMatchObject({ error: { code: "presence_missing" } });
  expect(await activity(app.sql, shop)).toMatchObject({ spins: 0 });

  await field(page, "Mot du jour").fill(word);
  await press(page, "Valider et lancer la roue");
  await arriveAt(page, "win");
  expect(await codeOn(page)).not.toBe("");
});

it("a customer who has scanned the till's screen is asked nothing more", async () => {
  const shop = await createShop(app.sql);
  const word = await askForWord(shop);
  const { page } = await app.phone();
  await page.goto(`${shop.door}#p=${encodeURIComponent(word)}`);
  await page.getByText("C'est noté : vous êtes sur place.").waitFor();
  expect(new URL(page.url()).hash).toBe("");
  await rate(page, shop, 5);
  await goToWheel(page);
  expect(await win(page)).not.toBe("");
});
