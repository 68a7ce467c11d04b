import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  arriveAt,
  goToWheel,
  pressSpin,
  rate,
  soundSwitch,
  step,
  TITLES,
} from "./support/customer.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { holdRequests } from "./support/network.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

/** Texts that the page announces without moving the focus, one entry a change. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.getByRole("status").evaluate((region) => {
    const heard: string[] = [];
    new MutationObserver(() => heard.push(region.textContent ?? "")).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    Object.assign(window, { heard });
  });
  return () =>
    page.evaluate(() => {
      const heard: unknown = Reflect.get(window, "heard");
      return Array.isArray(heard) ? heard.map(String) : [];
    });
}

/** Goes to a shop's wheel, on a phone whose owner likes things that move. */
async function wheelOf(shop: Shop): Promise<Page> {
  const { page } = await app.phone({ motion: "no-preference" });
  await rate(page, shop, 4);
  await arriveAt(page, "ready");
  await goToWheel(page);
  return page;
}

/** Counts from now on what the page sounds, and how it makes the phone buzz. */
async function feel(page: Page): Promise<() => Promise<{ sounds: number; buzzes: number }>> {
  await page.evaluate(() => {
    const felt = { sounds: 0, buzzes: 0 };
    Object.assign(window, { felt });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      felt.sounds += 1;
      start.call(this, when);
    };
    Object.defineProperty(navigator, "vibrate", {
      value: () => {
        felt.buzzes += 1;
        return true;
      },
    });
  });
  return () =>
    page.evaluate(() => {
      const { sounds, buzzes } = Object(Reflect.get(window, "felt"));
      return { sounds: Number(sounds), buzzes: Number(buzzes) };
    });
}

/** How far the wheel is turned. */
function rotation(page: Page): Promise<string> {
  return page.locator("[data-wheel]").evaluate((wheel) => getComputedStyle(wheel).transform);
}

/** How often the page has been laid out so far. */
async function countLayouts(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "LayoutCount")?.value ?? Number.NaN;
  };
}

describe("the wheel", () => {
  it("turns for five seconds, slows down to what the server drew, and is announced in words", async () => {
    const shop = await createShop(app.sql);
    const page = await wheelOf(shop);
    const said = await listen(page);
    const felt = await feel(page);
    // The page's own clock, so that a busy machine does not count.
    await page.evaluate(() => {
      const times: Record<string, number> = {};
      Object.assign(window, { times });
      addEventListener("click", () => Object.assign(times, { pressed: performance.now() }), true);
      new MutationObserver(() => {
        if (document.querySelector("article") === null || "shown" in times) return;
        times.shown = performance.now();
      }).observe(document.body, { childList: true, subtree: true });
    });
    const layouts = await countLayouts(page);
    await pressSpin(page);
    await step(page, TITLES.spinning).waitFor();
    const laidOut = await layouts();
    const before = await rotation(page);
    await expect.poll(() => rotation(page)).not.toBe(before);
    expect(await page.getByRole("article").count()).toBe(0);
    await arriveAt(page, "win");
    // The browser moves the wheel beside the page: some layouts a turn, for what is said and shown, not some a frame.
    expect((await layouts()) - laidOut).toBeLessThan(40);

    const took = await page.evaluate(() => {
      const { pressed, shown } = Object(Reflect.get(window, "times"));
      return Number(shown) - Number(pressed);
    });
    expect(took).toBeGreaterThanOrEqual(5_000);
    // The title announces the prize, once.
    expect(await said()).toEqual(["La roue tourne…", ""]);
    await step(page, `Bravo Zoé, Café offert\u00a0!`).waitFor();
    // A short buzz at the end, and no sound that nobody asked for.
    expect(await felt()).toEqual({ sounds: 0, buzzes: 1 });
    // The result takes the focus, so that it is read out.
    await waitForFocus(step(page, TITLES.win));
  });

  it("turns on while a slow answer is under way, and stops on it all the same", async () => {
    const shop = await createShop(app.sql, { wheel: "loses" });
    const page = await wheelOf(shop);
    const felt = await feel(page);
    const sound = await soundSwitch(page);
    await sound.click();
    await page.clock.install();
    const release = await holdRequests(page, "**/spin_wheel");
    await pressSpin(page);
    await arriveAt(page, "spinning");
    await page.clock.runFor(8_000);
    const before = await rotation(page);
    await expect.poll(() => rotation(page)).not.toBe(before);
    expect(await page.getByRole("button", { name: "Bonne chance" }).isVisible()).toBe(true);
    // The pegs tick: more than the one that the switch lets hear.
    await expect.poll(async () => (await felt()).sounds).toBeGreaterThan(1);
    const answered = page.waitForResponse("**/spin_wheel");
    release();
    await (await answered).finished();
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return step(page, TITLES.loss).count();
      })
      .toBe(1);
  });

  it("stands still for who prefers that, and says the same", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone({ motion: "reduce" });
    await rate(page, shop, 4);
    await arriveAt(page, "ready");
    await goToWheel(page);
    const said = await listen(page);
    const felt = await feel(page);
    const moves: string[] = [];
    await page.exposeFunction("moved", (transform: string) => moves.push(transform));
    await page.evaluate(() => {
      const wheel = document.querySelector<HTMLElement>("[data-wheel]");
      if (wheel === null) throw new Error("There is no wheel.");
      const moved = Reflect.get(window, "moved");
      new MutationObserver(() => moved(wheel.style.transform)).observe(wheel, {
        attributeFilter: ["style"],
      });
      wheel.animate = () => {
        moved("a turn");
        return new Animation();
      };
    });
    await pressSpin(page);
    await arriveAt(page, "win");
    // It is never seen on its way: from one moment to the next it stands where it stops.
    expect(moves).toEqual([expect.stringMatching(/^rotate\(/)]);
    expect(await said()).toHaveLength(2);
    expect(await felt()).toEqual({ sounds: 0, buzzes: 0 });
  });
});
