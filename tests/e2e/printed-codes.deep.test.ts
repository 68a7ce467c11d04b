import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { checkLightAndDark, titled } from "./support/account.ts";
import { createShop, winCode } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** Whose a printed code is (specification, section 2.22). */

const app = setUpTestApp();

/** Types an address at `/verifier` and waits for what is said of it. */
async function says(page: Page, address: string, sentence: string): Promise<void> {
  await page.getByLabel("Adresse du QR code").fill(address);
  await page.getByRole("button", { name: "Vérifier", exact: true }).click();
  await page.getByRole("status").getByText(sentence, { exact: true }).waitFor();
}

describe("/verifier", () => {
  it("says whose a code is, and of others no more than their page does", async () => {
    const shop = await createShop(app.sql, { store: { name: "Chez Zoé" } });
    const { page } = await app.phone({ expected: refusing(404) });
    await page.goto("/verifier");
    await titled(page, "Vérifier une affiche");
    await checkLightAndDark(page, "printed codes");
    const ours =
      "Ce code est de Tournavis : il mène au jeu « La roue du comptoir » de « Chez Zoé ».";
    await says(page, `${app.server.url}${shop.door}/play?source=qr`, ours);
    await page.getByLabel("Adresse du QR code").fill("");
    await page.getByRole("button", { name: "Vérifier", exact: true }).click();
    await page.getByText("Collez une adresse, ou scannez le QR code.").waitFor();

    // A draft is told of to nobody; one that rests after it was played is still whose it was.
    const gone = "Ce code est de Tournavis, mais ne mène à aucun jeu.";
    await app.sql`update public.campaigns set active = false where id = ${shop.campaign.id}`;
    await page.reload();
    await says(page, `${app.server.url}${shop.door}`, gone);
    await app.sql`update public.campaigns set active = true where id = ${shop.campaign.id}`;
    await winCode(app.sql, shop);
    await app.sql`update public.campaigns set active = false where id = ${shop.campaign.id}`;
    await page.reload();
    await says(page, `${app.server.url}${shop.door}`, ours);
    await says(page, `${app.server.url}/c/rien`, gone);
    const games = "Ce code est de Tournavis : il mène aux jeux de";
    const [org] = await app.sql<{ name: string }[]>`
      select name from public.organizations where id = ${shop.id}`;
    await says(page, `${app.server.url}/org/${shop.slug}`, `${games} « ${org?.name} ».`);
    await says(page, `${app.server.url}/org/rien`, gone);
    const elsewhere = "Ce code n'est pas de Tournavis : il mène à ailleurs.example.";
    await says(page, `https://${new URL(app.server.url).host}@ailleurs.example/c/x`, elsewhere);
    const noAddress = "Ce n'est pas l'adresse d'une affiche.";
    await says(page, `${app.server.url}/c/${"a".repeat(4_000)}`, noAddress);
    const noGame = "Ce code mène à une page de Tournavis, pas à un jeu.";
    await says(page, `${app.server.url}/c/%00'or'1`, noGame);
    expect(await page.locator("main a, main img").count()).toBe(0);
  });
});
