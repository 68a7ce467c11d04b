import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "../harness/browser.ts";
import { runUntil, stopClock } from "./support/clock.ts";
import {
  arriveAt,
  codeOn,
  goToWheel,
  pressSpin,
  rate,
  soundSwitch,
  step,
  TITLES,
  whenAlive,
} from "./support/customer.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { activity, createShop, type Shop } from "./support/shop.ts";
import { lost, setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

/** The scene that plays in front of a result. */
function scene(page: Page): Locator {
  return page.locator("[data-win-scene]");
}

/** Waits until a step takes taps, which it does not in its first moments. */
async function untilSettled(page: Page): Promise<void> {
  const settling = () =>
    page.evaluate(
      () => document.getAnimations().filter((move) => move instanceof CSSAnimation).length,
    );
  await expect.poll(settling).toBe(0);
}

/** Goes to a shop's wheel, on a phone whose owner likes things that move. */
async function wheelOf(shop: Shop, options: Parameters<typeof app.phone>[0] = {}): Promise<Page> {
  const { page } = await app.phone({ motion: "no-preference", ...options });
  await rate(page, shop, 4);
  await arriveAt(page, "ready");
  await goToWheel(page);
  await untilSettled(page);
  // A page whose clock stands still before does not come alive any more.
  await whenAlive(page.getByRole("button", { name: "Lancer la roue" }));
  return page;
}

/** Holds what the scene moves at its beginning: no machine is then too slow for what is looked at. */
async function holdScene(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const move of document.getAnimations()) {
      if (move instanceof CSSAnimation || move instanceof CSSTransition) continue;
      move.pause();
      move.currentTime = 0;
    }
  });
}

/** Spins, and lets time go by until the result is there. */
async function spinUntilWon(page: Page): Promise<void> {
  await stopClock(page);
  await pressSpin(page);
  const won = step(page, TITLES.win);
  await runUntil(page, 250, () => won.count(), 1);
}

/** The same, once the scene has come. */
async function spinWithScene(page: Page, start = () => pressSpin(page)): Promise<void> {
  const came = page.waitForResponse(/win-scene-[^/]+\.js$/);
  await stopClock(page);
  await start();
  const script = await came;
  await script.finished();
  // The loaded script has to be ready, too.
  await page.evaluate(`import(${JSON.stringify(script.url())}).then(() => {})`);
  await runUntil(page, 250, () => scene(page).count(), 1);
}

/** Notes from now on how the page makes the phone buzz, which notes it sounds, and what its live region says. */
async function perceive(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const felt = { buzzes: [] as unknown[], notes: 0, said: [] as string[] };
    Object.assign(window, { felt });
    Object.defineProperty(navigator, "vibrate", {
      value: (buzz: unknown) => felt.buzzes.push(buzz),
    });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      if (this.type === "sine") felt.notes += 1;
      start.call(this, when);
    };
    const region = document.querySelector("[role=status]");
    if (region === null) throw new Error("There is no live region.");
    new MutationObserver(() => felt.said.push(region.textContent ?? "")).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  return () => page.evaluate(() => Reflect.get(window, "felt"));
}

describe("the scene of a win", () => {
  it("lasts 2.5 seconds in front of a ticket that is there at once, and says the prize once", async () => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop);
    const felt = await perceive(page);
    await (await soundSwitch(page)).click();
    await spinWithScene(page);

    await waitForFocus(step(page, `Bravo Zoé, Café offert !`));
    const code = await codeOn(page);
    expect(code).toMatch(/^WIN/);
    expect(await felt()).toEqual({
      buzzes: [[30, 40, 90]],
      notes: 3,
      said: ["La roue tourne…", ""],
    });
    expect(await scene(page).getAttribute("aria-hidden")).toBe("true");
    // One layer for what dims, one for the slice that won: only that one keeps its words.
    expect(await scene(page).locator("text").allTextContents()).toContain("Café offert");
    await page.clock.runFor(2_200);
    expect(await scene(page).count()).toBe(1);
    await page.clock.runFor(300);
    expect(await scene(page).count()).toBe(0);
    expect(await codeOn(page)).toBe(code);

    await page.clock.resume();
    await page.reload();
    await arriveAt(page, "win");
    expect(await codeOn(page)).toBe(code);
    expect(await scene(page).count()).toBe(0);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, wins: 1, codes: 1 });
  });

  it("leaves nothing for axe to find while it plays", async () => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop);
    await spinWithScene(page);
    await holdScene(page);
    // The first paper flies after 320 ms, and for longer than the scene.
    const paper = page.locator("canvas");
    await runUntil(page, 10, () => paper.count(), 1);
    let isDone = false;
    const problems = accessibilityProblems(page, { isSunlit: true }).finally(() => {
      isDone = true;
    });
    // Axe takes turns by the page's clock, which goes on by hand.
    while (!isDone) await page.clock.runFor(1);
    expect(await problems).toEqual([]);
    expect(await scene(page).count()).toBe(1);
    expect(await paper.count()).toBe(1);
    await runUntil(page, 250, () => paper.count(), 0);
  });

  it.each(["a tap", "a key"])("is skipped by %s, which does nothing else", async (way) => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop);
    await spinWithScene(page);
    await holdScene(page);
    await untilSettled(page);
    const title = step(page, TITLES.win);
    const opacity = () => title.evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity()).toBe("0");
    const link = await page.getByRole("link", { name: "Retrouver mes gains" }).boundingBox();
    if (link === null) throw new Error("The link has no place.");
    const before = page.url();
    if (way === "a tap") await page.touchscreen.tap(link.x + 5, Math.min(link.y + 5, 800));
    else await page.keyboard.press("Escape");
    await expect.poll(opacity).toBe("1");
    // A second tap of a hasty thumb does nothing either.
    if (way === "a tap") await page.touchscreen.tap(link.x + 5, Math.min(link.y + 5, 800));
    await page.clock.runFor(400);
    expect(await scene(page).count()).toBe(0);
    expect(page.url()).toBe(before);
    await page.getByRole("button", { name: "Copier le code" }).click({ trial: true });
  });

  it("that was cut short by a reload ends at the same ticket", async () => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop);
    await spinWithScene(page);
    const code = await codeOn(page);
    await page.clock.resume();
    await page.reload();
    await waitForTicket(page, code);
    expect(await scene(page).count()).toBe(0);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, codes: 1 });
  });

  it("that never comes is not missed", async () => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop, { expected: lost("win-scene") });
    await page.route("**/win-scene-*.js", (route) => route.abort("connectionreset"));
    await spinUntilWon(page);
    expect(await codeOn(page)).toMatch(/^WIN/);
    expect(await scene(page).count()).toBe(0);
  });

  it("is nothing for who prefers that nothing moves: no picture, no buzz", async () => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop, { motion: "reduce" });
    const scripts: string[] = [];
    page.on("request", (request) => scripts.push(request.url()));
    const felt = await perceive(page);
    await spinUntilWon(page);
    expect(await codeOn(page)).toMatch(/^WIN/);
    expect(await scene(page).count()).toBe(0);
    expect(scripts.filter((url) => url.includes("win-scene"))).toEqual([]);
    expect(await felt()).toMatchObject({ buzzes: [], notes: 0 });
  });
});

async function waitForTicket(page: Page, code: string): Promise<void> {
  await arriveAt(page, "win");
  expect(await codeOn(page)).toBe(code);
}

describe("a finger on the wheel", () => {
  /** Moves the mouse on the wheel's upper half, a step each 16 ms of the page's clock. */
  async function drag(page: Page, from: number, to: number, steps: number): Promise<void> {
    const box = await page.locator("[data-wheel]").boundingBox();
    if (box === null) throw new Error("The wheel has no place.");
    const x = (share: number) => box.x + box.width * share;
    const y = box.y + box.height * 0.3;
    await page.mouse.move(x(from), y);
    await page.mouse.down();
    for (let at = 1; at <= steps; at += 1) {
      await page.mouse.move(x(from + ((to - from) * at) / steps), y);
      await page.clock.runFor(16);
    }
    await page.mouse.up();
  }

  it.each([
    ["with the clock", 0.3, 0.7],
    ["against it", 0.7, 0.3],
  ])("flicks it %s, and the wheel stops on what was drawn", async (_, from, to) => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop);
    await soundSwitch(page);
    await spinWithScene(page, () => drag(page, from, to, 5));
    await holdScene(page);
    const [wheel, slice] = await Promise.all([
      scene(page).locator(":scope > :first-child").boundingBox(),
      scene(page).locator(":scope > :nth-child(2) path").boundingBox(),
    ]);
    if (wheel === null || slice === null) throw new Error("The scene shows no wheel.");
    // The slice that won lies under the pointer, at the top.
    const middle = wheel.x + wheel.width / 2;
    expect(slice.x).toBeLessThan(middle);
    expect(slice.x + slice.width).toBeGreaterThan(middle);
    expect(slice.y).toBeLessThan(wheel.y + wheel.height * 0.1);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 1, wins: 1 });
  });

  it("turns it slowly, and lets go of it without a spin", async () => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop);
    await soundSwitch(page);
    await stopClock(page);
    await drag(page, 0.45, 0.55, 60);
    const turned = await page.locator("[data-wheel]").evaluate((wheel) => wheel.style.transform);
    expect(Number(/rotate\((.+)deg\)/.exec(turned)?.[1])).toBeGreaterThan(10);
    await arriveAt(page, "wheel");
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 0 });
  });
});
