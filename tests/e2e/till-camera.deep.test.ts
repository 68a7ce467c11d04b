import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { launchWholeBrowser, visit } from "../harness/browser.ts";
import { swallowRequest } from "./support/network.ts";
import { qrVideo } from "./support/qr-video.ts";
import { createShop, type Shop, winCode } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { checkCode, codeField, openTill, redeem, tillSays } from "./support/till.ts";

const app = setUpTestApp();

/** A cashier's phone with a camera, at which one looks: a browser of its own. */
async function withCamera(
  shop: Shop,
  {
    shows,
    isAllowed,
    before,
  }: { shows: string; isAllowed: boolean; before?: (page: Page) => Promise<void> },
  run: (page: Page) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), "tournavis-camera-"));
  const film = join(folder, "camera.y4m");
  await writeFile(film, qrVideo(shows));
  const browser = await launchWholeBrowser([
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${film}`,
    // Nobody is there to answer the browser's question.
    ...(isAllowed ? [] : ["--deny-permission-prompts"]),
  ]);
  try {
    const { page } = await visit(browser, {
      baseUrl: app.server.url,
      context: { permissions: isAllowed ? ["camera"] : [], reducedMotion: "reduce" },
    });
    await openTill(app, page, shop.users.cashier);
    await before?.(page);
    await page.getByRole("button", { name: "Scanner le QR code" }).click();
    await run(page);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lets the page believe that nobody looks at it any more, or that somebody does again. */
function turnPage(page: Page, state: "hidden" | "visible"): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

/** Whether the camera's light is on. */
function isFilming(page: Page): Promise<boolean> {
  return page.locator("video").evaluate((video) => {
    const shown = video instanceof HTMLVideoElement ? video.srcObject : null;
    return (
      shown instanceof MediaStream && shown.getTracks().some((track) => track.readyState === "live")
    );
  });
}

describe("the till's camera", () => {
  it("reads the code off the customer's phone", async () => {
    const shop = await createShop(app.sql);
    const shows = await winCode(app.sql, shop);
    await withCamera(shop, { shows, isAllowed: true }, async (page) => {
      await tillSays(page, "Code valable");
      await redeem(page);
      await tillSays(page, "C'est validé");
      await page.getByRole("button", { name: "Scanner le suivant" }).click();
      await tillSays(page, "Déjà utilisé");
    });
  });

  it("reads a code while the answer to a typed one is awaited, and the till goes on", async () => {
    const shop = await createShop(app.sql);
    const shows = await winCode(app.sql, shop);
    const before = async (page: Page) => {
      await swallowRequest(page, "**/rpc/lookup_code");
      await checkCode(page, "CAFE-OUBLIE");
    };
    await withCamera(shop, { shows, isAllowed: true, before }, async (page) => {
      await tillSays(page, "Code valable");
      await redeem(page);
      await tillSays(page, "C'est validé");
    });
  });

  it("says of another QR code that it is no prize, and goes on looking until it is closed", async () => {
    const shop = await createShop(app.sql);
    const shows = "https://ailleurs.example/menu";
    await withCamera(shop, { shows, isAllowed: true }, async (page) => {
      const dialog = page.getByRole("dialog", { name: "Scanner le QR code" });
      await dialog
        .getByText("Ce code n'est pas de Tournavis : il mène à ailleurs.example.")
        .waitFor();
      // A phone that is put away lets the camera go, and looks again when it is taken out.
      await turnPage(page, "hidden");
      await dialog.getByText("Ouverture de la caméra...").waitFor();
      expect(await isFilming(page)).toBe(false);
      await turnPage(page, "visible");
      await dialog
        .getByText("Ce code n'est pas de Tournavis : il mène à ailleurs.example.")
        .waitFor();
      expect(await isFilming(page)).toBe(true);
      await dialog.getByRole("button", { name: "Taper le code" }).click();
      await dialog.waitFor({ state: "detached" });
      await codeField(page).waitFor();
      // The camera is let go.
      expect(await page.locator("video").count()).toBe(0);
    });
  });

  it("says of a poster whose it is", async () => {
    const shop = await createShop(app.sql);
    const other = await createShop(app.sql, { store: { name: "Chez Zoé" } });
    for (const [door, sentence] of [
      [shop.door, "Ce n'est pas un gain, mais votre affiche « La roue du comptoir »."],
      [other.door, "Ce code est d'un autre commerce : il mène chez « Chez Zoé »."],
    ] as const) {
      const shows = `${app.server.url}${door}/play?source=qr`;
      await withCamera(shop, { shows, isAllowed: true }, async (page) => {
        await page.getByRole("dialog").getByText(sentence, { exact: true }).waitFor();
      });
    }
  });

  it("that may not be used says how to allow it, and the code can be typed", async () => {
    const shop = await createShop(app.sql);
    await withCamera(shop, { shows: "WINAAAAAAAA", isAllowed: false }, async (page) => {
      const dialog = page.getByRole("dialog", { name: "Scanner le QR code" });
      await dialog
        .getByText(
          "L'accès à la caméra est refusé. Autorisez-la dans les réglages du navigateur, ou tapez le code.",
        )
        .waitFor();
      await dialog.getByRole("button", { name: "Réessayer" }).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await codeField(page).waitFor();
    });
  });

  it("that is not there says so, and offers the code instead of another try", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ context: { permissions: ["camera"] } });
    await openTill(app, page, shop.users.cashier);
    await page.getByRole("button", { name: "Scanner le QR code" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Aucune caméra sur cet appareil. Tapez le code.").waitFor();
    expect(await dialog.getByRole("button", { name: "Réessayer" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Taper le code" }).click();
    await dialog.waitFor({ state: "detached" });
    await codeField(page).waitFor();
  });
});
