import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Arguments for a merchant, at an address of their own and within the landing page. */
const app = setUpTestApp();

describe("the page « en clair »", () => {
  it("reckons with one's own assumptions, and keeps the last figures where one is no number", async () => {
    const { page } = await app.phone({
      context: { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" },
    });
    await page.goto("/en-clair");
    const sums = page.locator("output");
    await sums.getByText(/^50$/).waitFor();
    await page.getByLabel("Clients par jour").fill("120");
    await sums.getByText(/^100$/).waitFor();
    await sums.getByText(/^44$/).waitFor();
    await page.getByLabel("Clients par jour").fill("beaucoup");
    await page.getByText("Un nombre, s'il vous plaît.").waitFor();
    expect(await page.getByLabel("Clients par jour").getAttribute("aria-invalid")).toBe("true");
    expect(await sums.getByText(/^100$/).count()).toBe(1);

    await page.getByText("Puis-je offrir un cadeau contre un avis").click();
    await page.getByText(/le gain récompense la participation/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    // Nothing moves by itself where that is unwelcome, and nothing of the video is fetched.
    await page.getByRole("button", { name: "Lire la vidéo" }).waitFor();
    expect(await page.locator("video").count()).toBe(0);
  });

  it("reckons with what was typed before its script came", async () => {
    const { page } = await app.phone();
    let letIn = () => {};
    const script = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route(/\/assets\/.*\.js$/, (route) => script.then(() => route.continue()));
    await page.goto("/en-clair", { waitUntil: "commit" });
    await page.getByLabel("Clients par jour").fill("120");
    letIn();
    await page.locator("output").getByText(/^100$/).waitFor();
  });

  it("comes into the landing page once one nears its end, with a video that can be stopped", async () => {
    const { page } = await app.phone({ context: { reducedMotion: "no-preference" } });
    await page.goto("/");
    expect(await page.locator("[data-clear]").count()).toBe(0);
    await page.getByRole("heading", { name: /Votre première campagne/ }).scrollIntoViewIfNeeded();
    const scene = page.getByRole("heading", { name: "Au comptoir, pendant qu'on encaisse" });
    await scene.waitFor();
    await page.getByLabel("Clients par jour").fill("120");
    await page.locator("output").getByText(/^100$/).waitFor();
    await page.locator("[data-loop]").scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Mettre en pause" }).click();
    await page.getByRole("button", { name: "Lire la vidéo" }).waitFor();
    expect(await page.locator("video").evaluate((video: HTMLVideoElement) => video.paused)).toBe(
      true,
    );
  });

  it("says an example where no script runs", async () => {
    const { page } = await app.phone({ context: { javaScriptEnabled: false } });
    await page.goto("/en-clair");
    await page.getByText(/^Un exemple/).waitFor();
    expect(await page.getByLabel("Clients par jour").isVisible()).toBe(false);
  });
});
