import { expect, it } from "vitest";
import { SESSION_KEY } from "../../web/lib/supabase.ts";
import { makePushDevice } from "../harness/push-device.ts";
import { checkLightAndDark } from "./support/account.ts";
import { enter, openAs } from "./support/member.ts";
import {
  badReview,
  card,
  haveAddress,
  PUSH_BROWSER,
  PUSH_CONTEXT,
  question,
} from "./support/push.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

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
  expect(await page.evaluate(() => localStorage.getItem("vendor"))).toBeNull();

  // A colleague is not asked, and finds it in the settings.
  const colleague = await openAs(app, admin, address, { context: PUSH_CONTEXT });
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
