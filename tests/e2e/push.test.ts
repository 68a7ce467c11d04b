import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createPushDelivery } from "../../supabase/functions/_shared/messages/push-service.ts";
import { makeVapidKeys } from "../../supabase/functions/_shared/messages/vapid-keys.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { makePushDevice } from "../harness/push-device.ts";
import { startPushService } from "../server/push-service.ts";
import { checkLightAndDark } from "./support/account.ts";
import { enter } from "./support/member.ts";
import { badReview, haveAddress, PUSH_BROWSER, PUSH_CONTEXT, question } from "./support/push.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Messages on a merchant's own devices: the one question, the settings, and the worker that shows them. */

const app = setUpTestApp(undefined, PUSH_BROWSER);

it("an owner who has opened a bad review is asked once, and is shown the next one", async () => {
  const shop = await createShop(app.sql);
  const device = makePushDevice();
  const { page } = await app.phone({ context: PUSH_CONTEXT });
  await haveAddress(page, device);
  await enter(app, page, shop.users.owner);
  await page.goto(await badReview(app, shop));
  await question(page).waitFor();
  await checkLightAndDark(page, "the question");
  await question(page)
    .getByRole("button", { name: "Activer sur cet appareil", exact: true })
    .click();
  await page.getByText("C'est fait. Vous réglez ces messages dans Paramètres").waitFor();
  const [kept] = await app.sql`
    select endpoint, p256dh, auth, label, session_id is not null as is_signed_in
    from private.push_devices where user_id = ${shop.users.owner.id}`;
  const { endpoint, p256dh, auth } = device;
  expect(kept).toEqual({ endpoint, p256dh, auth, label: "Chrome sur Android", is_signed_in: true });

  // The worker has a scope without a page: it stands between nobody and the network.
  const workers = await page.evaluate(async () => {
    const all = await navigator.serviceWorker.getRegistrations();
    return all.map(({ scope, active }) => [
      new URL(scope).pathname,
      active?.scriptURL.slice(location.origin.length),
    ]);
  });
  expect(workers).toEqual([["/push/", "/push-worker.js"]]);
  await page.reload();
  await page.getByRole("heading", { name: "Avis" }).first().waitFor({ state: "attached" });
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  expect(await question(page).count()).toBe(0);

  // The next review, from the outbox through a push service to the worker.
  const service = await startPushService();
  const address = await badReview(app, shop);
  const [message] = await app.sql<{ id: string; data: object; created_at: Date }[]>`
    update private.outbox set next_attempt_at = now() + interval '1 hour'
    where id = (select max(id::text)::uuid from private.outbox where channel = 'push')
    returning id, data, created_at`;
  const [row] = await app.sql<{ id: string }[]>`
    select id from private.push_devices where user_id = ${shop.users.owner.id}`;
  const deliver = createPushDelivery({
    sql: app.sql,
    keys: makeVapidKeys(),
    subject: "mailto:bonjour@exemple.fr",
    now: () => secondsFromNow(0),
    send: service.send,
  });
  await deliver({
    id: message?.id ?? "",
    channel: "push",
    template: "low_rating",
    recipient: row?.id ?? "",
    data: message?.data,
    attempt: 1,
    created_at: message?.created_at ?? secondsFromNow(0),
  });
  const text = device.open(service.posted[0]?.body ?? Buffer.alloc(0));
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.getRegistration("/push/");
      const all = (await worker?.getNotifications()) ?? [];
      return all.map(({ title, body, data, tag }) => ({ title, body, data, tag }));
    });
  const first = {
    title: "Un avis à lire",
    body: "Le Comptoir des Halles : un avis 2 étoiles vient d'arriver.",
    data: { path: address },
    tag: message?.id.replaceAll("-", ""),
  };
  /** Delivers until it is shown: the browser drops what comes while a worker starts, and a push service then delivers again. */
  const delivers = async (data: string, count: number) =>
    expect
      .poll(async () => {
        await push(page, data);
        return (await shown()).length;
      })
      .toBe(count);
  await delivers(text, 1);
  expect(await shown()).toEqual([first]);
  // Said twice, it shows once; what nobody of ours wrote leads nowhere else.
  await push(page, text);
  await delivers(
    JSON.stringify({ title: "x", body: "y", tag: "z", path: "//ailleurs.example" }),
    2,
  );
  await delivers("no JSON", 3);
  expect(await shown()).toEqual(
    expect.arrayContaining([
      first,
      { title: "x", body: "y", tag: "z", data: { path: "/dashboard" } },
      { title: "Tournavis", body: "", tag: "tournavis", data: { path: "/dashboard" } },
    ]),
  );

  // A touch opens the review.
  const touched = new URL(address, app.server.url).href;
  expect(await touch(page, String(first.tag))).toEqual([touched]);
  await expect.poll(async () => (await shown()).length).toBe(2);
});

/** Touches a message; answers the addresses that the worker opens. Only somebody's own finger lets it open one, so that this is noted instead. */
async function touch(page: Page, tag: string): Promise<string[]> {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error("No worker runs.");
  return worker.evaluate(`(async () => {
    const opened = [];
    self.clients.openWindow = async (address) => void opened.push(address);
    const all = await self.registration.getNotifications();
    const notification = all.find((one) => one.tag === ${JSON.stringify(tag)});
    const event = new NotificationEvent("notificationclick", { notification });
    let work;
    event.waitUntil = (promise) => { work = promise; };
    self.dispatchEvent(event);
    await work;
    return opened;
  })()`);
}

/** Has the browser hand a message to the page's worker, as its vendor's service does. */
async function push(page: Page, data: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const worker = registrations.find(({ scopeURL }) => scopeURL.endsWith("/push/"));
      if (worker) resolve(worker.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await found;
  const { origin } = new URL(page.url());
  await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  await cdp.detach();
}
