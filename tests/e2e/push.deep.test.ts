import { expect, it } from "vitest";
import { SESSION_KEY } from "../../web/lib/supabase.ts";
import type { Problem } from "../harness/browser.ts";
import { makePushDevice } from "../harness/push-device.ts";
import { checkLightAndDark } from "./support/account.ts";
import { breakFunction } from "./support/faults.ts";
import { enter, openAs } from "./support/member.ts";
import { loseAnswer, loseRequest } from "./support/network.ts";
import {
  badReview,
  card,
  hasAddress,
  haveAddress,
  PUSH_BROWSER,
  PUSH_CONTEXT,
  question,
} from "./support/push.ts";
import { createShop } from "./support/shop.ts";
import { lost, refusing, setUpTestApp } from "./support/test-app.ts";

/** Messages on a merchant's own devices: who refuses them, turns them off, or has a browser without them. */

const app = setUpTestApp(undefined, PUSH_BROWSER);

it("a question that was refused never comes back; the settings still offer it, by kind and device", async () => {
  const shop = await createShop(app.sql);
  const { owner, admin } = shop.users;
  const address = await badReview(app, shop);
  const { page } = await app.phone({ context: PUSH_CONTEXT });
  await haveAddress(page, makePushDevice());
  await enter(app, page, owner);
  await page.goto(address);
  await question(page).getByRole("button", { name: "Non merci" }).click();
  await question(page).waitFor({ state: "detached" });
  const other = await openAs(app, owner, address, { context: PUSH_CONTEXT });
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
  // A device taken off from elsewhere stays off, until its owner switches it on there.
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
  expect(await hasAddress(page)).toBe(false);

  // A colleague is not asked, and finds it in the settings.
  const colleague = await openAs(app, admin, address, { context: PUSH_CONTEXT });
  await colleague.waitForLoadState("networkidle");
  expect(await question(colleague).count()).toBe(0);
});

/** Lost requests, and what the browser says of a worker whose script is one of them. */
const offline = (problem: Problem) =>
  lost("")(problem) || (problem.kind === "console" && problem.text.includes("fetching the script"));

const NO_NETWORK = "Pas de connexion. Vérifiez le réseau, puis réessayez.";

/** Opens the notifications of a new shop's owner, whose browser has an address at its vendor for the asking. */
async function openSettings(expected: (problem: Problem) => boolean) {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({ context: PUSH_CONTEXT, expected });
  await haveAddress(page, makePushDevice());
  await enter(app, page, shop.users.owner);
  await page.goto("/settings?section=notifications");
  const turnOn = card(page).getByRole("button", { name: "Activer sur cet appareil", exact: true });
  await turnOn.waitFor();
  const devices = () =>
    app.sql`select id from private.push_devices where user_id = ${shop.users.owner.id}`;
  return { shop, page, turnOn, devices };
}

it("without a network says so, and is on at the next press with one", async () => {
  const { page, turnOn, devices } = await openSettings(offline);
  await page.context().setOffline(true);
  await turnOn.click();
  await card(page).getByText(NO_NETWORK).waitFor();
  expect(await hasAddress(page)).toBe(false);

  // Where its worker is there from before, the browser's vendor is what does not answer.
  await page.context().setOffline(false);
  await page.evaluate(async () => {
    const worker = await navigator.serviceWorker.register("/push-worker.js", { scope: "/push/" });
    while (!worker.active) await new Promise(requestAnimationFrame);
  });
  await page.reload();
  await turnOn.waitFor();
  await page.context().setOffline(true);
  await turnOn.click();
  await card(page).getByText(NO_NETWORK).waitFor();
  expect(await devices()).toHaveLength(0);
  await page.context().setOffline(false);
  // The address comes late, and is the one that the next press registers.
  await expect.poll(() => hasAddress(page)).toBe(true);
  await turnOn.click();
  await card(page).getByText("Cet appareil vous prévient.").waitFor();
  expect(await card(page).getByText(NO_NETWORK).count()).toBe(0);
  expect(await devices()).toHaveLength(1);
});

it("an owner who says yes to the question without a network keeps its button", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({ context: PUSH_CONTEXT, expected: offline });
  await haveAddress(page, makePushDevice());
  await enter(app, page, shop.users.owner);
  await page.goto(await badReview(app, shop));
  const turnOn = question(page).getByRole("button", { name: "Activer sur cet appareil" });
  await turnOn.waitFor();
  await page.context().setOffline(true);
  await turnOn.click();
  await question(page).getByText(NO_NETWORK).waitFor();
  await page.context().setOffline(false);
  await turnOn.click();
  await page.getByText("C'est fait. Vous réglez ces messages dans Paramètres").waitFor();
});

it.each([
  ["never reached the server", loseRequest, NO_NETWORK],
  ["the server answered into the void", loseAnswer, "Cet appareil vous prévient."],
])("a registration that %s is made again at the next visit", async (_, lose, words) => {
  const { shop, page, turnOn, devices } = await openSettings(lost("save_push_device"));
  await lose(page, "**/rest/v1/rpc/save_push_device");
  await turnOn.click();
  await card(page).getByText(words).waitFor();
  expect(await card(page).getByRole("alert").count()).toBe(words === NO_NETWORK ? 1 : 0);
  expect(await hasAddress(page)).toBe(true);
  // Whatever the server kept may end before the next visit.
  await app.sql`delete from private.push_devices where user_id = ${shop.users.owner.id}`;
  await page.reload();
  await expect.poll(async () => (await devices()).length).toBe(1);
});

it("a browser that the platform refuses has no address left", async () => {
  const { page, turnOn } = await openSettings(refusing(400));
  await breakFunction(app.sql, "save_push_device", "TV200");
  await turnOn.click();
  await card(page).getByText("Dix appareils vous préviennent déjà : retirez-en un.").waitFor();
  expect(await hasAddress(page)).toBe(false);
  expect(await page.evaluate(() => localStorage.getItem("tournavis-push"))).toBeNull();
});

it("a worker that its browser throws away before it runs is said, not waited for", async () => {
  const { page, turnOn } = await openSettings(() => false);
  await page.evaluate(() => {
    class Worker extends EventTarget {
      state = "installing";
      override addEventListener(...listening: Parameters<EventTarget["addEventListener"]>) {
        super.addEventListener(...listening);
        this.state = "redundant";
        this.dispatchEvent(new Event("statechange"));
      }
    }
    const registration = { installing: new Worker(), waiting: null, active: null };
    Object.assign(navigator.serviceWorker, { register: async () => registration });
  });
  await turnOn.click();
  await card(page).getByText("Ce navigateur n'arrive pas à s'inscrire").waitFor();
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
  await page.goto(await badReview(app, shop));
  await page.waitForLoadState("networkidle");
  expect(await question(page).count()).toBe(0);
  await page.goto("/settings?section=notifications");
  await card(page).getByText(words).waitFor();
  // The missing support can be had: the icon on the home screen opens a window of its own.
  const link = page.locator("head link[rel=manifest]");
  expect(await link.count()).toBe(words.startsWith("Sur iPhone") ? 1 : 0);
  for (const href of await link.evaluateAll((all) => all.map((one) => one.getAttribute("href")))) {
    const manifest = await (await page.request.get(href ?? "")).json();
    expect(manifest).toMatchObject({ display: "standalone", start_url: "/dashboard" });
  }
});
