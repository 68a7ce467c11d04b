import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { readConfig } from "../server/config/config.ts";
import { type RunningServer, startServer } from "../server/server.ts";
import { ensureChromium } from "../tests/harness/chromium.ts";

/** `npm run screens`: pictures of the phone pages, the till and the back-office, from a new demo shop, into docs/screens. */

const FOLDER = fileURLToPath(new URL("../docs/screens/", import.meta.url));
const PASSWORD = "mot-de-passe-demo";
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
/** The same for the steps beside the main road, whose pictures nobody enlarges. */
const SMALL_PHONE = { ...PHONE, deviceScaleFactor: 1 };
const COMPUTER = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };

/** A screen of the back-office: picture's name, address, title. */
type Screen = readonly [name: string, path: string, title: string];

const SCREENS: readonly Screen[] = [
  ["dashboard", "/dashboard", "Tableau de bord"],
  ["customers", "/customers", "Clients"],
  ["campaigns", "/campaigns", "Campagnes"],
  ["new-campaign", "/campaigns/new", "Nouvelle campagne"],
  ["rewards", "/rewards", "Récompenses"],
  ["stores", "/stores", "Magasins"],
  ["settings", "/settings", "Paramètres"],
  ["team", "/settings/team", "Équipe"],
  ["journal", "/settings/audit", "Journal d'activité"],
  ["invitation", "/team/invite", "Inviter un membre"],
  ["brand", "/settings/brand", "Votre marque"],
  ["roles", "/settings/roles", "Rôles"],
  ["keys", "/settings/api", "API"],
  ["password", "/settings/password", "Mot de passe"],
  ["second-factor", "/settings/2fa", "Double authentification"],
  ["devices", "/settings/sessions", "Appareils connectés"],
  ["new-reward", "/rewards/new", "Nouvelle récompense"],
  ["new-store", "/stores/new", "Nouveau magasin"],
];

/** On a phone and a computer, in the light and in the dark; the others once on each. */
const MAIN = [
  "dashboard",
  "customers",
  "campaigns",
  "rewards",
  "stores",
  "settings",
  "wheel-editor",
];

const folder = await mkdtemp(join(tmpdir(), "tournavis-screens-"));
await chmod(folder, 0o711);
const server = await startServer(
  readConfig({
    env: { PORT: "0", TOURNAVIS_DATA: folder, DEMO_PASSWORD: PASSWORD },
    argv: [],
    cwd: folder,
  }),
  { log: Object.assign(() => {}, { flush: () => {} }) },
);
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ["--disable-gpu", "--lang=fr-FR"],
});
const darkroom = await browser.newPage();
try {
  // What is no more made is no more shown.
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const code = await photographJourney(browser, server);
  await photographTill(browser, code);
  await photographComputer(browser);
  await photographUnhappyVisit(browser);
  await photographInvitation(browser, server);
  await photographEntryWithoutReview(browser, server);
  await photographOtherPages(browser);
  await photographBackOffice(browser, await demoScreens(server));
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Does what turns the wheel while one segment has it all: the first that wins something to show at the till, or the first that
 * loses. The pictures show the wheel with its own odds.
 */
async function whileEveryTurn(
  ends: "wins" | "loses",
  { adminSql }: RunningServer,
  turn: () => Promise<void>,
): Promise<void> {
  const former = await adminSql<{ id: string; weight: number }[]>`
    select id, weight from public.wheel_segments`;
  const winning = adminSql`
    select w.id from public.wheel_segments w join public.rewards r on r.id = w.reward_id
    where r.type = 'gift' order by w.position limit 1`;
  const losing = adminSql`
    select w.id from public.wheel_segments w where w.reward_id is null order by w.position limit 1`;
  await adminSql`
    update public.wheel_segments s
    set weight = case when s.id = (${ends === "wins" ? winning : losing}) then 100 else 0 end`;
  await turn();
  await adminSql`
    update public.wheel_segments s set weight = f.weight
    from jsonb_to_recordset(${adminSql.json(former.map(({ id, weight }) => ({ id, weight })))})
      as f (id uuid, weight smallint)
    where f.id = s.id`;
}

/** From the door to the stars. */
async function giveDetails(page: Page, firstName: string): Promise<void> {
  await page.goto("/c/demo");
  await page.waitForLoadState("networkidle");
  await page.getByRole("textbox", { name: "Prénom", exact: true }).fill(firstName);
  await page.getByRole("textbox", { name: "Nom", exact: true }).fill("Lefèvre");
  const email = `${firstName.toLowerCase()}@exemple.fr`;
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill(email);
  await page.getByRole("button", { name: "Continuer" }).click();
  await heading(page, "Comment s'est passée votre visite ?");
}

async function photographJourney(browser: Browser, running: RunningServer): Promise<string> {
  const page = await open(browser, PHONE);
  await page.goto("/c/demo");
  await page.waitForLoadState("networkidle");
  await take(page, "phone-1-form");
  await giveDetails(page, "Marie");
  await take(page, "phone-2-stars");
  await page.getByRole("button", { name: "4 sur 5" }).click();
  await heading(page, "À vous de tourner la roue");
  await take(page, "phone-3-ready");
  await page.getByRole("link", { name: "Tourner la roue" }).click();
  await heading(page, "La roue est à vous");
  await page.waitForLoadState("networkidle");
  await take(page, "phone-4-wheel");
  await whileEveryTurn("wins", running, async () => {
    await page.getByRole("button", { name: "Lancer la roue" }).click();
    await page.getByRole("heading", { level: 1, name: "Bravo Marie" }).waitFor();
  });
  await page.getByRole("article").getByRole("img").waitFor();
  await take(page, "phone-5-win");
  return ((await page.getByRole("article").getByRole("code").textContent()) ?? "").trim();
}

async function photographUnhappyVisit(browser: Browser): Promise<void> {
  const page = await open(browser, SMALL_PHONE);
  await giveDetails(page, "Hugo");
  await page.getByRole("button", { name: "2 sur 5" }).click();
  await heading(page, "Qu'est-ce qui aurait pu être mieux ?");
  await page.getByRole("textbox", { name: "Votre message" }).fill("Le café était");
  await take(page, "phone-6-message");
}

async function photographInvitation(browser: Browser, { adminSql }: RunningServer): Promise<void> {
  await adminSql`update public.stores set review_mode = 'gating'`;
  const page = await open(browser, SMALL_PHONE);
  await giveDetails(page, "Lina");
  await page.getByRole("button", { name: "4 sur 5" }).click();
  await heading(page, "Merci. Et si vous le disiez à tous ?");
  await take(page, "phone-7-public-review");
  await adminSql`update public.stores set review_mode = 'compliant'`;
}

async function photographEntryWithoutReview(
  browser: Browser,
  running: RunningServer,
): Promise<void> {
  const page = await open(browser, SMALL_PHONE);
  await page.goto("/c/demo/play?entry=libre");
  await page.waitForLoadState("networkidle");
  await page.getByRole("textbox", { name: "Votre nom" }).fill("Malo Roux");
  await take(page, "phone-8-name");
  await page.getByRole("button", { name: "Continuer" }).click();
  await heading(page, "Où vous joindre ?");
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("malo@exemple.fr");
  await take(page, "phone-9-contact");
  await page.getByRole("button", { name: "Continuer" }).click();
  await whileEveryTurn("loses", running, async () => {
    await page.getByRole("button", { name: "Lancer la roue" }).click();
    await heading(page, "Pas cette fois");
  });
  await take(page, "phone-10-loss");
}

async function photographOtherPages(browser: Browser): Promise<void> {
  const page = await open(browser, SMALL_PHONE);
  await page.goto("/c/demo/play");
  await page.waitForLoadState("networkidle");
  await take(page, "phone-11-test-mode");
  await page.goto("/c/terminee");
  await heading(page, "Campagne non trouvée ou inactive");
  await take(page, "phone-12-closed");
  await page.goto("/org/cafe-bertille");
  await take(page, "phone-13-organisation");
}

/** Through the sign-in form to the till's field. */
async function openTill(page: Page): Promise<void> {
  await signIn(page, "/encaisser");
  await heading(page, "Encaisser un gain");
}

/** Through the sign-in form to a page of the back-office. */
async function signIn(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await heading(page, "Connexion");
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("demo@tournavis.fr");
  await page.getByLabel("Mot de passe", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Se connecter" }).click();
}

async function checkCode(page: Page, code: string, reason: string): Promise<void> {
  await page.getByRole("textbox", { name: "Code du client" }).fill(code);
  await page.getByRole("button", { name: "Vérifier le code" }).click();
  await heading(page, reason);
  await answerSettled(page);
}

/** What an answer leads to takes a press a moment after it is shown, and looks like it. */
function answerSettled(page: Page): Promise<void> {
  return page.locator("main button[aria-disabled]").first().waitFor({ state: "detached" });
}

async function photographTill(browser: Browser, code: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await open(browser, { ...PHONE, colorScheme });
    await page.goto("/encaisser");
    await heading(page, "Connexion");
    await take(page, `till-${colorScheme}-0-sign-in`);
    await openTill(page);
    await take(page, `till-${colorScheme}-1-entry`);
    if (colorScheme === "light") {
      await checkCode(page, code, "Code valable");
      await take(page, "till-light-2-valid");
      await page.getByRole("button", { name: "Valider le gain" }).click();
      await heading(page, "C'est validé");
      await answerSettled(page);
      await take(page, "till-light-3-done");
    } else {
      await checkCode(page, code, "Déjà utilisé");
      await take(page, "till-dark-2-used");
    }
    await page.getByRole("button", { name: "Code suivant" }).click();
    await checkCode(page, "TEST-ABCDEFGH", "Code de test");
    await take(page, `till-${colorScheme}-4-test`);
  }
}

async function photographComputer(browser: Browser): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await open(browser, { ...COMPUTER, colorScheme });
    if (colorScheme === "light") {
      await page.goto("/c/demo/review");
      await page.waitForLoadState("networkidle");
      await take(page, "computer-1-form");
      await page.goto("/");
      await page.getByRole("link", { name: "Se connecter" }).waitFor();
      await page.waitForLoadState("networkidle");
      await take(page, "computer-2-home");
      await page.goto("/pricing");
      await page.waitForLoadState("networkidle");
      await take(page, "computer-6-pricing");
    }
    await page.goto("/encaisser");
    await heading(page, "Connexion");
    await take(page, `computer-3-sign-in-${colorScheme}`);
    await openTill(page);
    await take(page, `computer-4-till-${colorScheme}`);
    await checkCode(page, "WIN22222222", "Code inconnu");
    await take(page, `computer-5-unknown-${colorScheme}`);
  }
}

type Named = { id: string; name: string };

/** The screens of the demo's own campaign, reward, store and best customer, whose addresses nobody knows beforehand. */
async function demoScreens({ adminSql }: RunningServer): Promise<readonly Screen[]> {
  const [campaign] = await adminSql<Named[]>`
    select id, name from public.campaigns where slug = 'demo'`;
  const [reward] = await adminSql<Named[]>`
    select id, name from public.rewards where type = 'coupon' order by name limit 1`;
  const [store] = await adminSql<Named[]>`select id, name from public.stores limit 1`;
  const [customer] = await adminSql<Named[]>`
    select id, name from public.customers order by review_count + redemption_count desc, id limit 1`;
  if (!campaign || !reward || !store || !customer) throw new Error("the demo has nothing to show");
  return [
    ["campaign", `/campaigns/${campaign.id}`, campaign.name],
    ["wheel-editor", `/campaigns/${campaign.id}/edit`, "Modifier la campagne"],
    ["reward", `/rewards/${reward.id}/edit`, "Modifier la récompense"],
    ["reward-figures", `/rewards/${reward.id}/stats`, `Statistiques : ${reward.name}`],
    ["codes", `/rewards/${reward.id}/codes`, `Codes : ${reward.name}`],
    ["store", `/stores/${store.id}/edit`, "Modifier le magasin"],
    ["store-settings", `/stores/${store.id}/settings`, `Paramètres de ${store.name}`],
    ["store-figures", `/stores/${store.id}/stats`, `Statistiques de ${store.name}`],
    ["customer", `/customers/${customer.id}`, customer.name],
  ];
}

async function photographBackOffice(browser: Browser, more: readonly Screen[]): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [device, settings] of [
      ["phone", SMALL_PHONE],
      ["computer", COMPUTER],
    ] as const) {
      const page = await open(browser, { ...settings, colorScheme });
      await page.goto("/auth?mode=signup");
      await heading(page, "Créer un compte");
      await take(page, `office-${device}-${colorScheme}-sign-up`);
      await signIn(page, "/dashboard");
      await heading(page, "Tableau de bord");
      const isUsual = (device === "computer") === (colorScheme === "light");
      const screens = [...SCREENS, ...more].filter(([name]) => isUsual || MAIN.includes(name));
      for (const [name, path, title] of screens) {
        await page.goto(path);
        await heading(page, title);
        await page.waitForLoadState("networkidle");
        if (name === "wheel-editor") await showWheel(page);
        await take(page, `office-${device}-${colorScheme}-${name}`);
      }
      if (isUsual) await photographOpened(page, `office-${device}-${colorScheme}`);
    }
  }
}

/** The wheel stands below the campaign's fields. */
async function showWheel(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Essayer la roue" }).waitFor();
  await page.getByRole("heading", { name: "La roue" }).evaluate((title) => {
    title.scrollIntoView();
    window.scrollBy(0, -96);
  });
}

/** What opens above a screen: the search for anything, and a campaign's QR code. */
async function photographOpened(page: Page, name: string): Promise<void> {
  await page.goto("/campaigns");
  await page.getByRole("button", { name: "Chercher" }).click();
  await page.getByRole("combobox").fill("caf");
  await page.getByRole("option", { name: /caf/i }).first().waitFor();
  await take(page, `${name}-search`);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "QR Code" }).first().click();
  await page.getByRole("dialog").getByRole("img").waitFor();
  await take(page, `${name}-qr-code`);
}

/** One visitor with empty storage; motion is reduced, so that nothing is caught half-way. */
async function open(browser: Browser, settings: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    ...settings,
    baseURL: server.url,
    locale: "fr-FR",
    timezoneId: "Europe/Paris",
    reducedMotion: "reduce",
  });
  return context.newPage();
}

function heading(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const png = await page.screenshot({ animations: "disabled" });
  await writeFile(join(FOLDER, `${name}.webp`), await squeeze(png));
  process.stdout.write(`${name}\n`);
}

/** The same picture as WebP, a third as heavy: the browser that took it knows how. */
async function squeeze(png: Buffer): Promise<Buffer> {
  const webp = await darkroom.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", 0.88);
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  return Buffer.from(webp.slice(webp.indexOf(",") + 1), "base64");
}
