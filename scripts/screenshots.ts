import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { typeset } from "#domain/text/typeset.ts";
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

/** Pictures that are cut and shown elsewhere (`npm run pictures`): they keep their size. */
const WHOLE = new Set([
  "phone-1-form",
  "phone-2-stars",
  "phone-5-win",
  "office-computer-light-dashboard",
]);
/** Widths of the others in pixels, upright and across: readable beside each other, and the folder stays below 1.5 MB. */
const NARROW = 340;
const WIDE = 700;

/** A screen of the back-office: picture's name, address, title. */
type Screen = readonly [name: string, path: string, title: string];

const SCREENS: readonly Screen[] = [
  ["dashboard", "/dashboard", "Tableau de bord"],
  ["customers", "/customers", "Clients"],
  ["reviews", "/reviews", "Avis"],
  ["campaigns", "/campaigns", "Campagnes"],
  ["new-campaign", "/campaigns/new", "Nouvelle campagne"],
  ["rewards", "/rewards", "Récompenses"],
  ["points", "/rewards/points", "Cadeaux contre des points"],
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
const MAIN = ["dashboard", "customers", "rewards", "wheel-editor"];
/** On a computer alone: on a phone they are the same, one below the other. */
const COMPUTER_ONLY = [
  "team",
  "journal",
  "invitation",
  "brand",
  "roles",
  "keys",
  "password",
  "second-factor",
  "devices",
  "new-store",
  "campaign-posters",
  "reward",
  "store",
  "store-settings",
  "store-figures",
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
  // What is no more made is no more shown; what was before (`before/`) stays.
  const former = (await readdir(FOLDER)).filter((name) => name.endsWith(".webp"));
  await Promise.all(former.map((name) => rm(join(FOLDER, name))));
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
  const code = ((await page.getByRole("article").getByRole("code").textContent()) ?? "").trim();
  // The same phone, scanning again where one plays once a month.
  await running.adminSql`update public.campaigns set play_interval_days = 30 where slug = 'demo'`;
  await page.goto("/c/demo");
  await heading(page, "Vous avez déjà joué");
  await take(page, "phone-14-played");
  await running.adminSql`update public.campaigns set play_interval_days = 0 where slug = 'demo'`;
  await page.goto("/c/demo/gain");
  await page.getByRole("article").waitFor();
  await take(page, "phone-15-kept");
  return code;
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
      await page.goto("/verifier");
      await heading(page, "Vérifier une affiche");
      await page.getByLabel("Adresse du QR code").fill("https://ailleurs.example/menu");
      await page.getByRole("button", { name: "Vérifier", exact: true }).click();
      await page.getByText(typeset("Ce code n'est pas de Tournavis")).waitFor();
      await take(page, "computer-7-verify");
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
    ["campaign-posters", `/campaigns/${campaign.id}?tab=posters`, campaign.name],
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
      const isUsual = (device === "computer") === (colorScheme === "light");
      if (isUsual) {
        await page.goto("/auth?mode=signup");
        await heading(page, "Créer un compte");
        await take(page, `office-${device}-${colorScheme}-sign-up`);
      }
      await signIn(page, "/dashboard");
      await heading(page, "Tableau de bord");
      const screens = [...SCREENS, ...more].filter(([name]) =>
        isUsual ? device === "computer" || !COMPUTER_ONLY.includes(name) : MAIN.includes(name),
      );
      for (const [name, path, title] of screens) {
        await page.goto(path);
        await heading(page, title);
        await page.waitForLoadState("networkidle");
        if (name === "wheel-editor") await showWheel(page);
        if (name === "reviews" && device === "computer") await openReview(page);
        await take(page, `office-${device}-${colorScheme}-${name}`);
      }
      if (isUsual) await photographOpened(page, `office-${device}-${colorScheme}`);
    }
  }
}

/** A review with words, in the panel beside the list. */
async function openReview(page: Page): Promise<void> {
  const reviews = page.getByRole("list", { name: "Avis", exact: true });
  await reviews.getByRole("button").nth(1).click();
  await page.getByRole("button", { name: "Répondre" }).first().waitFor();
  await page.waitForLoadState("networkidle");
}

/** The wheel stands below the campaign's fields. */
async function showWheel(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Essayer la roue" }).waitFor();
  await page.getByRole("heading", { name: "La roue" }).evaluate((title) => {
    title.scrollIntoView();
    window.scrollBy(0, -96);
  });
}

/** What opens above a screen: the search for anything, and a campaign's QR code; on a phone, what is ticked. */
async function photographOpened(page: Page, name: string): Promise<void> {
  if (name.includes("phone")) {
    await page.goto("/customers?sort=-created_at");
    await page.getByRole("button", { name: "Sélectionner" }).click();
    for (const index of [1, 2]) await page.getByRole("checkbox").nth(index).check();
    await page
      .getByLabel("Trier par")
      .evaluate((field) => field.scrollIntoView({ block: "center" }));
    await take(page, `${name}-selection`);
  }
  await page.goto("/campaigns");
  await page.getByRole("button", { name: "Chercher" }).click();
  await page.getByRole("dialog").getByRole("combobox").fill("caf");
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
  return page.getByRole("heading", { level: 1, name: typeset(name), exact: true }).waitFor();
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const png = await page.screenshot({ animations: "disabled" });
  await writeFile(join(FOLDER, `${name}.webp`), await squeeze(png, WHOLE.has(name)));
  process.stdout.write(`${name}\n`);
}

/** The same picture as WebP, a tenth as heavy: the browser that took it knows how. */
async function squeeze(png: Buffer, isWhole: boolean): Promise<Buffer> {
  const source = `data:image/png;base64,${png.toString("base64")}`;
  const widths = { upright: isWhole ? Infinity : NARROW, across: isWhole ? Infinity : WIDE };
  const webp = await darkroom.evaluate(
    async ({ source, widths, quality }) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const share = Math.min(1, (width < height ? widths.upright : widths.across) / width);
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(width * share);
      canvas.height = Math.round(height * share);
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/webp", quality);
    },
    { source, widths, quality: isWhole ? 0.8 : 0.6 },
  );
  return Buffer.from(webp.slice(webp.indexOf(",") + 1), "base64");
}
