import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import * as z from "zod";
import { createUser } from "../harness/fixtures.ts";
import { isSignedIn, titled } from "./support/account.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { signIn } from "./support/till.ts";

const app = setUpTestApp();

/** Most that a merchant's browser loads before the sign-in page stands, compressed, in bytes. */
const MAX_SCRIPT_BYTES = 200_000;

it("the application leaves out of its bundle what no page uses of the platform's client", async () => {
  const user = await createUser(app.sql);
  const { page } = await app.phone();
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text());
  });
  await page.goto("/auth?redirect=%2Fsettings%2Fsessions");
  await titled(page, "Connexion");
  // A prerendered page starts its script once somebody does something.
  await page.getByRole("textbox", { name: "Adresse e-mail" }).focus();
  await page.locator("#root:not([data-prerendered])").waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  const texts = await Promise.all(scripts);
  const weight = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(weight).toBeLessThan(MAX_SCRIPT_BYTES);
  // Words that the socket's protocol and the file store's client cannot do without.
  expect(texts.filter((text) => /phx_join|\/object\/sign\//.test(text))).toEqual([]);

  // The client signs in, reads, and hands its new token on, as ever.
  await signIn(page, user);
  await isSignedIn(page);
  await page.getByText("Cet appareil", { exact: true }).waitFor();
});

it("the sign-in page fetches its script before anybody touches it, in a way that every browser knows, and only once", async () => {
  const { page } = await app.phone();
  const fetched = () =>
    page.evaluate(() =>
      performance.getEntriesByType("resource").flatMap((entry) => {
        const { name, initiatorType, transferSize } = entry.toJSON();
        return name.endsWith(".js") ? [{ name, initiatorType, transferSize }] : [];
      }),
    );
  // A headless browser's mouse stands on the page, and is told to have moved there when the page is drawn.
  await page.addInitScript(() => {
    addEventListener("pointermove", (event) => event.stopImmediatePropagation(), true);
  });
  await page.goto("/auth");
  const { start = "", ahead = "" } = await page
    .locator("script[data-start]")
    .evaluate((script) => ({ ...(script instanceof HTMLElement ? script.dataset : {}) }));
  const parts = [start, ...ahead.split(" ")].map((path) => app.server.url + path).sort();
  expect(parts.length).toBeGreaterThan(2);
  // Neither Safari nor, under our policy, Firefox follows <link rel="prefetch">.
  await expect
    .poll(async () => (await fetched()).map(({ name }) => name).sort(), { timeout: 10_000 })
    .toEqual(parts);
  expect(new Set((await fetched()).map(({ initiatorType }) => initiatorType))).toEqual(
    new Set(["fetch"]),
  );
  await page.getByRole("textbox", { name: "Adresse e-mail" }).focus();
  await page.locator("#root:not([data-prerendered])").waitFor({ state: "attached" });
  const again = (await fetched()).filter(
    ({ name, initiatorType }) => parts.includes(name) && initiatorType !== "fetch",
  );
  expect(again.length).toBeGreaterThan(0);
  expect(again.filter(({ transferSize }) => transferSize > 0)).toEqual([]);
});

const built = fileURLToPath(new URL("../../dist/web/", import.meta.url));

/**
 * Limits in bytes, compressed: the back-office's layout with all that it imports, and what a screen adds, with
 * everything that it shares with others. The message about a part that does not load, and the way out of an old
 * release, are in it: they could not be fetched when they are needed.
 */
const MAX_SHELL_BYTES = 165_000;
const MAX_SCREEN_BYTES = 40_000;

/**
 * Most that a part adds which comes after its screen or the layout: the largest is 27,700 today, the team among the settings. What
 * draws and prints posters, with its fonts, comes with a press on « Télécharger », and has 415,300.
 */
const MAX_LATER_BYTES = 30_000;
const MAX_RENDERER_BYTES = 430_000;
const POSTER_RENDERER = "features/campaigns/paper/poster-renderer.ts";

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
);

it("the layout weighs 165 kB at most, no screen adds more than 40 kB, and no part that comes later", async () => {
  const parts = manifest.parse(JSON.parse(await readFile(`${built}.vite/manifest.json`, "utf8")));
  const withImports = (names: readonly string[], known = new Set<string>()): Set<string> => {
    for (const name of names) {
      if (known.has(name)) continue;
      known.add(name);
      withImports(parts[name]?.imports ?? [], known);
    }
    return known;
  };
  const weigh = async (names: Iterable<string>) => {
    const files = new Set(Array.from(names, (name) => parts[name]?.file ?? ""));
    const scripts = [...files].filter((file) => file.endsWith(".js"));
    const read = await Promise.all(scripts.map((file) => readFile(`${built}${file}`)));
    return read.reduce((sum, text) => sum + gzipSync(text).length, 0);
  };

  const shell = withImports(["app.html", "routes/_member/_shell.tsx?tsr-split=component"]);
  expect(shell.size).toBeGreaterThan(3);
  expect(await weigh(shell)).toBeLessThan(MAX_SHELL_BYTES);

  const screens = Object.keys(parts).filter((name) => name.endsWith("?tsr-split=component"));
  expect(screens.length).toBeGreaterThan(20);
  for (const screen of screens) {
    const own = [...withImports([screen])].filter((name) => !shell.has(name));
    expect(await weigh(own), screen).toBeLessThan(MAX_SCREEN_BYTES);
  }

  // Parts that a screen, or the layout, asks for once it stands: each with the files that neither
  // of them has.
  const weights = new Map<string, number>();
  for (const whole of [shell, ...screens.map((screen) => withImports([screen], new Set(shell)))]) {
    const later = new Set([...whole].flatMap((name) => parts[name]?.dynamicImports ?? []));
    for (const part of later) {
      if (part.includes("?tsr-split")) continue;
      const added = [...withImports([part])].filter((name) => !whole.has(name));
      const weight = await weigh(added);
      expect(weight, part).toBeLessThan(
        part === POSTER_RENDERER ? MAX_RENDERER_BYTES : MAX_LATER_BYTES,
      );
      weights.set(part, Math.max(weight, weights.get(part) ?? 0));
    }
  }
  expect(weights.get(POSTER_RENDERER)).toBeGreaterThan(MAX_LATER_BYTES);
  expect(weights.size).toBeGreaterThan(10);
});
