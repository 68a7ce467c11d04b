import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  arriveAt,
  field,
  press,
  somebody,
  star,
  TITLES,
  whenAlive,
  writeDetails,
} from "./support/customer.ts";
import { activity, createShop } from "./support/shop.ts";
import { setStage } from "./support/stage.ts";

const stage = setStage();

const COMPLAINT = "Le café était froid et l'attente bien trop longue.";

/** How many times slower a page's animations run, so that no busy machine is too late for a tap within 400 ms. */
const SLOWER = 3;

/** A phone that notes when a step has appeared, and what was touched since then. */
async function watchedPhone(): Promise<Page> {
  const { page } = await stage.phone();
  const session = await page.context().newCDPSession(page);
  await session.send("Animation.enable");
  await session.send("Animation.setPlaybackRate", { playbackRate: 1 / SLOWER });
  await page.addInitScript(() => {
    const seen = { title: "", at: 0, touched: [] as string[] };
    Object.assign(window, { seen });
    addEventListener(
      "click",
      ({ target }) => {
        const hit = target instanceof Element && target.closest("main a, main button, main input");
        if (hit) seen.touched.push(hit.textContent || hit.outerHTML);
      },
      true,
    );
    const look = () => {
      const title = (document.querySelector("h1")?.textContent ?? "").replace(/\s/g, " ");
      if (title === "" || title === seen.title) return;
      Object.assign(seen, { title, at: performance.now(), touched: [] });
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true });
  });
  return page;
}

declare const seen: { title: string; at: number; touched: string[] };

/** Waits until a step has been shown for so many milliseconds. */
async function whenShown(page: Page, title: string, milliseconds: number): Promise<void> {
  await page.waitForFunction(
    ([wanted, time]) => seen.title === wanted && performance.now() - seen.at >= time,
    [title, milliseconds] as const,
  );
}

type Place = { x: number; y: number };

async function middleOf(page: Page, role: "button" | "link", name: string): Promise<Place> {
  const control = page.getByRole(role, { name, exact: true });
  const box = await control.boundingBox();
  if (box === null) throw new Error(`${name} is not to be seen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Taps a control, its place again 120 ms after the next step has appeared, and that step's main control after 250 ms:
 * neither of the two hasty taps may do anything.
 */
async function tapHastily(
  page: Page,
  first: ["button" | "link", string],
  next: keyof typeof TITLES,
  main: ["button" | "link", string],
): Promise<void> {
  const [role, name] = first;
  const control = page.getByRole(role, { name, exact: true });
  if (role === "button") await whenAlive(control);
  // Playwright waits until the control takes taps.
  await control.click({ trial: true });
  const place = await middleOf(page, role, name);
  await page.touchscreen.tap(place.x, place.y);
  await whenShown(page, TITLES[next], 120);
  await page.touchscreen.tap(place.x, place.y);
  await whenShown(page, TITLES[next], 250);
  const other = await middleOf(page, ...main);
  await page.touchscreen.tap(other.x, other.y);
  const { title, touched } = await page.evaluate(() => seen);
  expect({ title, touched }).toEqual({ title: TITLES[next], touched: [] });
}

describe("a second tap within 400 ms", () => {
  it("after the form, four stars and the way to the wheel touches nothing of the next step", async () => {
    const shop = await createShop(stage.sql);
    const page = await watchedPhone();
    await page.goto(shop.door);
    await writeDetails(page, somebody());
    await tapHastily(page, ["button", "Continuer"], "rating", ["button", "3 sur 5"]);
    const toTheWheel = ["link", "Tourner la roue"] as const;
    await tapHastily(page, ["button", "4 sur 5"], "ready", [...toTheWheel]);
    await tapHastily(page, [...toTheWheel], "wheel", ["button", "Lancer la roue"]);
    expect(await activity(stage.sql, shop)).toMatchObject({ reviews: 1, spins: 0 });
    await tapHastily(page, ["button", "Lancer la roue"], "win", ["link", "Retour à l'avis"]);
    expect(await activity(stage.sql, shop)).toMatchObject({ reviews: 1, spins: 1, codes: 1 });
  });

  it("after the invitation to a public review touches nothing", async () => {
    const shop = await createShop(stage.sql, { store: { reviewMode: "gating" } });
    const page = await watchedPhone();
    await page.goto(shop.door);
    await writeDetails(page, somebody());
    await press(page, "Continuer");
    await tapHastily(page, ["button", "4 sur 5"], "google", ["button", "Laisser un avis public"]);
    await tapHastily(page, ["button", "Continuer sans avis public"], "ready", [
      "link",
      "Tourner la roue",
    ]);
    expect(await activity(stage.sql, shop)).toMatchObject({ reviews: 1, clicks: 0 });
  });

  it("after a word in private touches nothing", async () => {
    const shop = await createShop(stage.sql);
    const page = await watchedPhone();
    await page.goto(shop.door);
    await writeDetails(page, somebody());
    await press(page, "Continuer");
    await star(page, 2).tap();
    await arriveAt(page, "feedback");
    await field(page, "Votre message").fill(COMPLAINT);
    await tapHastily(page, ["button", "Envoyer"], "ready", ["link", "Tourner la roue"]);
  });

  it("after the name and the contact touches nothing", async () => {
    const shop = await createShop(stage.sql);
    const page = await watchedPhone();
    await page.goto(`${shop.door}/play?entry=libre`);
    await field(page, "Votre nom").fill("Zoé Lambert");
    await tapHastily(page, ["button", "Continuer"], "contact", ["button", "Continuer"]);
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await tapHastily(page, ["button", "Continuer"], "wheel", ["button", "Lancer la roue"]);
    expect(await activity(stage.sql, shop)).toMatchObject({ spins: 0 });
  });
});

it("keys do at once what they are for", async () => {
  const shop = await createShop(stage.sql);
  const page = await watchedPhone();
  await page.goto(shop.door);
  await writeDetails(page, somebody());
  await press(page, "Continuer");
  await star(page, 4).click();
  await arriveAt(page, "ready");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(TITLES.ready);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await arriveAt(page, "wheel");
});
