import { describe, expect, it } from "vitest";
import { loseAnswer, loseRequest, silenceChannels } from "./support/network.ts";
import { createShop, winCode } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";
import { checkCode, codeField, openTill, redeem, tillSays } from "./support/till.ts";

const app = setUpTestApp();

const NO_ANSWER = "Pas de réponse. Rien n'est confirmé : vérifiez le réseau, puis réessayez.";

/** Problems that a browser without network tells of every request. */
const offlineNoise = ({ kind }: { kind: string }) => kind === "request" || kind === "console";

describe("a till that loses the network", () => {
  it("while it asks keeps the code", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ expected: lost("lookup_code") });
    await openTill(app, page, shop.users.cashier);
    await loseRequest(page, "**/rpc/lookup_code");
    await checkCode(page, code);
    await page.getByRole("alert").getByText(NO_ANSWER).waitFor();
    expect(await codeField(page).inputValue()).toBe(code);
    await page.reload();
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe(code);
    await page.getByRole("button", { name: "Vérifier le code" }).click();
    await tillSays(page, "Code valable");
  });

  it("and finds it again no longer says that there is no answer", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ expected: lost("lookup_code") });
    await openTill(app, page, shop.users.cashier);
    await loseRequest(page, "**/rpc/lookup_code");
    await checkCode(page, code);
    const notice = page.getByRole("alert").getByText(NO_ANSWER);
    await notice.waitFor();
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await notice.waitFor({ state: "detached" });
    expect(await codeField(page).inputValue()).toBe(code);
    await page.getByRole("button", { name: "Vérifier le code" }).click();
    await tillSays(page, "Code valable");
  });

  it("and knows it says so once, and how to go on, before and after it is asked", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ expected: offlineNoise });
    await openTill(app, page, shop.users.cashier);
    const alerts = page.getByRole("alert");
    const offline = alerts.getByText(/^Hors ligne : .+ Retrouvez le réseau, puis réessayez/);
    await page.context().setOffline(true);
    await offline.waitFor();
    await checkCode(page, code);
    await page.locator("form").getByRole("alert").waitFor();
    expect(await alerts.count()).toBe(1);
    expect(await offline.count()).toBe(1);
    await page.context().setOffline(false);
    await alerts.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Vérifier le code" }).click();
    await tillSays(page, "Code valable");
    await page.context().setOffline(true);
    await redeem(page);
    await offline.waitFor();
    expect(await alerts.count()).toBe(1);
    await page.context().setOffline(false);
    await alerts.waitFor({ state: "detached" });
    await redeem(page);
    await tillSays(page, "C'est validé");
  });

  it("before the redemption has arrived redeems when it tries again", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ expected: lost("/redeem") });
    await silenceChannels(page);
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    await loseRequest(page, "**/functions/v1/redeem");
    await redeem(page);
    await page.getByRole("alert").getByText(NO_ANSWER).waitFor();
    await page.getByRole("button", { name: "Réessayer" }).click();
    await tillSays(page, "C'est validé");
  });

  it("after the redemption shows that it was made, a reload later too", async () => {
    const shop = await createShop(app.sql);
    const code = await winCode(app.sql, shop);
    const { page } = await app.phone({ expected: lost("/redeem") });
    await silenceChannels(page);
    await openTill(app, page, shop.users.cashier);
    await checkCode(page, code);
    await tillSays(page, "Code valable");
    await loseAnswer(page, "**/functions/v1/redeem");
    await redeem(page);
    await page.getByRole("alert").getByText(NO_ANSWER).waitFor();
    await page.reload();
    await codeField(page).waitFor();
    expect(await codeField(page).inputValue()).toBe(code);
    await page.getByRole("button", { name: "Vérifier le code" }).click();
    await tillSays(page, "C'est validé");
    // Answered: whoever asks from now on asks anew.
    await page.getByRole("button", { name: "Code suivant" }).click();
    await checkCode(page, code);
    await tillSays(page, "Déjà utilisé");
  });

  it("on opening says so and tries again", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ expected: lost("my_workspace") });
    await openTill(app, page, shop.users.cashier);
    await page.route("**/rpc/my_workspace", (route) => route.abort("connectionreset"));
    await page.clock.install();
    await page.reload();
    // It asks three times by itself before it gives up.
    const failed = page.getByRole("heading", { name: "La caisse ne se charge pas" });
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return failed.count();
      })
      .toBe(1);
    await page.getByText("Pas de connexion. Vérifiez le réseau, puis réessayez.").waitFor();
    await page.unroute("**/rpc/my_workspace");
    await page.getByRole("button", { name: "Réessayer" }).click();
    await codeField(page).waitFor();
  });
});
