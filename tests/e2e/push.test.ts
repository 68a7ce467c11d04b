import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createPushDelivery } from "../../supabase/functions/_shared/messages/push-service.ts";
import { makeVapidKeys } from "../../supabase/functions/_shared/messages/vapid-keys.ts";
import { SESSION_KEY } from "../../web/lib/supabase.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { review } from "../harness/journey.ts";
import { makePushDevice, type PushDevice } from "../harness/push-device.ts";
import { startPushService } from "../server/push-service.ts";
import { checkLightAndDark } from "./support/account.ts";
import { enter, openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Messages on a merchant's own devices: the one question, the settings, and the worker that shows them. */

const app = setUpTestApp();

const CONTEXT = { serviceWorkers: "allow" as const, permissions: ["notifications"] };

/**
 * Gives a page's browser an address at a push service. A browser of the tests reaches none: its vendor's part, and nothing else, is
 * in this script, and survives from one page to the next as a browser's does.
 */
async function haveAddress(page: Page, { endpoint, p256dh, auth }: PushDevice): Promise<void> {
  const made = JSON.stringify({ endpoint, keys: { p256dh, auth } });
  await page.addInitScript({
    content: `(() => {
      const read = () => {
        const key = localStorage.getItem("vendor");
        return key && {
          endpoint: ${JSON.stringify(endpoint)},
          options: { applicationServerKey: Uint8Array.from(JSON.parse(key)).buffer },
          toJSON: () => (${made}),
          unsubscribe: async () => (localStorage.removeItem("vendor"), true),
        };
      };
      PushManager.prototype.getSubscription = async () => read();
      PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly) throw new DOMException("", "NotAllowedError");
        localStorage.setItem("vendor", JSON.stringify([...applicationServerKey]));
        return read();
      };
    })()`,
  });
}

/** Where a review that has just come opens. */
async function badReview(shop: Awaited<ReturnType<typeof createShop>>): Promise<string> {
  const { review_id: id } = await review(app.sql, { campaignId: shop.campaign.id, rating: 2 });
  const [row] = await app.sql<{ alias: string }[]>`select private.alias_of(${id}) as alias`;
  return `/reviews?review=${row?.alias}`;
}

const question = (page: Page) =>
  page.getByRole("region", { name: "Être prévenu sur cet appareil ?" });
const card = (page: Page) => page.getByRole("region", { name: "Sur vos appareils" });

it("an owner who has opened a bad review is asked once, and is shown the next one", async () => {
  const shop = await createShop(app.sql);
  const device = makePushDevice();
  const { page } = await app.phone({ context: CONTEXT });
  await haveAddress(page, device);
  await enter(app, page, shop.users.owner);
  await page.goto(await badReview(shop));
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
  const address = await badReview(shop);
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
    connection: service.connection,
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
  await push(page, text);
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.getRegistration("/push/");
      const all = (await worker?.getNotifications()) ?? [];
      return all.map(({ title, body, data, tag }) => ({ title, body, data, tag }));
    });
  const first = {
    title: "Un avis à lire",
    body: "Un avis 2 étoiles vient d'arriver à Le Comptoir des Halles.",
    data: { path: address },
    tag: message?.id.replaceAll("-", ""),
  };
  await expect.poll(shown).toEqual([first]);
  // Said twice, it shows once; what nobody of ours wrote leads nowhere else.
  await push(page, text);
  await push(page, JSON.stringify({ title: "x", body: "y", tag: "z", path: "//ailleurs.example" }));
  await push(page, "no JSON");
  await expect.poll(async () => (await shown()).length).toBe(3);
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

it("a question that was refused never comes back; the settings still offer it, by kind and device", async () => {
  const shop = await createShop(app.sql);
  const { owner, admin } = shop.users;
  const address = await badReview(shop);
  const { page } = await app.phone({ context: CONTEXT });
  await haveAddress(page, makePushDevice());
  await enter(app, page, owner);
  await page.goto(address);
  await question(page).getByRole("button", { name: "Non merci" }).click();
  await question(page).waitFor({ state: "detached" });
  const other = await openAs(app, owner, address, { context: CONTEXT });
  await other.waitForLoadState("networkidle");
  expect(await question(other).count()).toBe(0);

  await page.goto("/settings?section=notifications");
  await card(page).getByRole("button", { name: "Activer sur cet appareil", exact: true }).click();
  await card(page).getByText("Cet appareil vous prévient.").waitFor();
  await checkLightAndDark(page, "devices in the settings");
  await card(page).getByText("Un stock qui s'épuise").click();
  const kinds = async () => {
    const [row] = await app.sql`
      select push_low_ratings, push_low_stock from public.notification_preferences where user_id = ${owner.id}`;
    return row;
  };
  await expect.poll(kinds).toEqual({ push_low_ratings: true, push_low_stock: false });

  // From a computer one sees the phone, and takes it off.
  await other.goto("/settings?section=notifications");
  await card(other).getByText("Chrome sur Android").waitFor();
  await card(other).getByRole("button", { name: "Retirer Chrome sur Android" }).click();
  await card(other).getByText("Chrome sur Android").waitFor({ state: "detached" });
  const devices = () => app.sql`select id from private.push_devices where user_id = ${owner.id}`;
  expect(await devices()).toHaveLength(0);
  // What was taken off from elsewhere stays off, until its owner turns it on there.
  await page.reload();
  await card(page).getByRole("button", { name: "Activer sur cet appareil", exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await devices()).toHaveLength(0);
  await card(page).getByRole("button", { name: "Activer sur cet appareil", exact: true }).click();
  await card(page).getByText("Cet appareil vous prévient.").waitFor();

  // Somebody else on the same phone has asked for nothing; whoever has is notified again by itself.
  const signIn = async (user: { email: string }) => {
    const { client } = await app.server.signIn(user);
    const { data } = await client.auth.getSession();
    const stored = { key: SESSION_KEY, value: JSON.stringify(data.session) };
    await page.evaluate(({ key, value }) => localStorage.setItem(key, value), stored);
    await page.goto("/dashboard");
    await page.waitForLoadState("networkidle");
  };
  await signIn(admin);
  await app.sql`
    delete from auth.sessions s using private.push_devices d where s.id = d.session_id and s.user_id = ${owner.id}`;
  await app.sql`select private.sweep_push_devices(10)`;
  expect(await devices()).toHaveLength(0);
  expect(await app.sql`select id from private.push_devices where user_id = ${admin.id}`).toEqual(
    [],
  );
  await signIn(owner);
  await expect.poll(async () => (await devices()).length).toBe(1);
  await page.goto("/settings?section=notifications");
  await card(page).getByRole("button", { name: "Désactiver sur cet appareil" }).click();
  await card(page).getByRole("button", { name: "Activer sur cet appareil", exact: true }).waitFor();
  expect(await devices()).toHaveLength(0);
  expect(await page.evaluate(() => localStorage.getItem("vendor"))).toBeNull();

  // A colleague is not asked, and finds it in the settings.
  const colleague = await openAs(app, admin, address, { context: CONTEXT });
  await colleague.waitForLoadState("networkidle");
  expect(await question(colleague).count()).toBe(0);
});

it.each([
  [
    "an iPhone's browser",
    {
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    },
    "Sur iPhone et iPad : touchez Partager, « Sur l'écran d'accueil », puis ouvrez Tournavis depuis son icône.",
  ],
  [
    "a browser without push messages",
    {},
    "Ce navigateur n'affiche pas de messages. Essayez depuis votre téléphone.",
  ],
])("%s says what it lacks, and nobody is asked there", async (_, context, words) => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({ context });
  await page.addInitScript({ content: "delete window.PushManager" });
  await enter(app, page, shop.users.owner);
  await page.goto(await badReview(shop));
  await page.waitForLoadState("networkidle");
  expect(await question(page).count()).toBe(0);
  await page.goto("/settings?section=notifications");
  await card(page).getByText(words).waitFor();
  // What it lacks can be had: the icon on the home screen opens a window of its own.
  const link = page.locator("head link[rel=manifest]");
  expect(await link.count()).toBe(words.startsWith("Sur iPhone") ? 1 : 0);
  for (const href of await link.evaluateAll((all) => all.map((one) => one.getAttribute("href")))) {
    const manifest = await (await page.request.get(href ?? "")).json();
    expect(manifest).toMatchObject({ display: "standalone", start_url: "/dashboard" });
  }
});
