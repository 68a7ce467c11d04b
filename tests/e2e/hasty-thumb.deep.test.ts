import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  arriveAt,
  field,
  press,
  somebody,
  star,
  step,
  TITLES,
  whenAlive,
  writeDetails,
} from "./support/customer.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { activity, createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

const COMPLAINT = "Le café était froid et l'attente bien trop longue.";

/**
 * A phone that notes when a step has appeared, and what was touched since then. Its animations, by which a step takes no
 * taps at first, can be made to stand still: no busy machine is then too late for a tap within 400 ms.
 */
type WatchedPhone = { page: Page; animate: (isMoving: boolean) => Promise<void> };

async function watchedPhone(): Promise<WatchedPhone> {
  const { page } = await app.phone();
  const session = await page.context().newCDPSession(page);
  await session.send("Animation.enable");
  const animate = async (isMoving: boolean) => {
    await session.send("Animation.setPlaybackRate", { playbackRate: isMoving ? 1 : 0 });
  };
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
      const title = document.querySelector("h1")?.textContent ?? "";
      if (title === "" || title === seen.title) return;
      Object.assign(seen, { title, at: performance.now(), touched: [] });
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true });
  });
  return { page, animate };
}

declare const seen: { title: string; at: number; touched: string[] };

/** Waits until a step has been shown for so many milliseconds. */
async function whenShown(page: Page, title: string, milliseconds: number): Promise<void> {
  await page.waitForFunction(
    ([wanted, time]) => seen.title.startsWith(wanted) && performance.now() - seen.at >= time,
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
  { page, animate }: WatchedPhone,
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
  await animate(false);
  await page.touchscreen.tap(place.x, place.y);
  await whenShown(page, TITLES[next], 120);
  await page.touchscreen.tap(place.x, place.y);
  await whenShown(page, TITLES[next], 250);
  const other = await middleOf(page, ...main);
  await page.touchscreen.tap(other.x, other.y);
  const { title, touched } = await page.evaluate(() => seen);
  expect({ title, touched }).toEqual({ title: expect.stringContaining(TITLES[next]), touched: [] });
  const settling = page.locator("[data-settles]");
  expect(await settling.evaluate((one) => getComputedStyle(one).animationDuration)).toBe("0.4s");
  await animate(true);
}

describe("a second tap within 400 ms", () => {
  it("after the form, four stars and the way to the wheel touches nothing of the next step", async () => {
    const shop = await createShop(app.sql);
    const phone = await watchedPhone();
    const { page } = phone;
    await page.goto(shop.door);
    await writeDetails(page, somebody());
    await tapHastily(phone, ["button", "Continuer"], "rating", ["button", "3 sur 5"]);
    const toTheWheel = ["link", "Tourner la roue"] as const;
    await tapHastily(phone, ["button", "4 sur 5"], "ready", [...toTheWheel]);
    await tapHastily(phone, [...toTheWheel], "wheel", ["button", "Lancer la roue"]);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 0 });
    await tapHastily(phone, ["button", "Lancer la roue"], "win", ["link", "Retour à l'avis"]);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, spins: 1, codes: 1 });
  });

  it("after the invitation to a public review touches nothing", async () => {
    const shop = await createShop(app.sql, { store: { reviewMode: "gating" } });
    const phone = await watchedPhone();
    const { page } = phone;
    await page.goto(shop.door);
    await writeDetails(page, somebody());
    await press(page, "Continuer");
    await tapHastily(phone, ["button", "4 sur 5"], "google", ["link", "Laisser un avis public"]);
    await tapHastily(phone, ["button", "Continuer sans avis public"], "ready", [
      "link",
      "Tourner la roue",
    ]);
    expect(await activity(app.sql, shop)).toMatchObject({ reviews: 1, clicks: 0 });
  });

  it("after a word in private touches nothing", async () => {
    const shop = await createShop(app.sql);
    const phone = await watchedPhone();
    const { page } = phone;
    await page.goto(shop.door);
    await writeDetails(page, somebody());
    await press(page, "Continuer");
    await star(page, 2).tap();
    await arriveAt(page, "feedback");
    await field(page, "Votre message").fill(COMPLAINT);
    await tapHastily(phone, ["button", "Envoyer"], "ready", ["link", "Tourner la roue"]);
  });

  it("after the name and the contact touches nothing", async () => {
    const shop = await createShop(app.sql);
    const phone = await watchedPhone();
    const { page } = phone;
    await page.goto(`${shop.door}/play?entry=libre`);
    await field(page, "Votre nom").fill("Zoé Lambert");
    await tapHastily(phone, ["button", "Continuer"], "contact", ["button", "Continuer"]);
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await tapHastily(phone, ["button", "Continuer"], "wheel", ["button", "Lancer la roue"]);
    expect(await activity(app.sql, shop)).toMatchObject({ spins: 0 });
  });
});

it("keys do at once what they are for", async () => {
  const shop = await createShop(app.sql);
  const { page } = await watchedPhone();
  await page.goto(shop.door);
  await writeDetails(page, somebody());
  await press(page, "Continuer");
  await star(page, 4).click();
  await arriveAt(page, "ready");
  await waitForFocus(step(page, TITLES.ready));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await arriveAt(page, "wheel");
});
