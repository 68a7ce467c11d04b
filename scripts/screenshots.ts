import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { typeset } from "#domain/text/typeset.ts";
import { readConfig } from "../server/config/config.ts";
import { type RunningServer, startServer } from "../server/server.ts";
import { ensureChromium } from "../tests/harness/chromium.ts";
import { spin } from "../tests/harness/journey.ts";
import { latestMail } from "../tests/harness/mailbox.ts";
import { readChoices } from "./choices.ts";

/**
 * `npm run screens`: pictures of the phone pages, the till, the back-office and what is printed, from a new demo shop, into
 * docs/screens. `-- --before=<folder>`: pictures of a former state (PNG, same names) go beside today's, into docs/screens/pairs.
 * It needs `pdftoppm` (Debian: poppler-utils).
 */

const { before } = readChoices("npm run screens -- [--before=<folder>]", {
  before: { type: "string" },
}).values;
const formerFolder = before === undefined ? null : resolve(before);
const formerNames = new Set(formerFolder === null ? [] : await readdir(formerFolder));

const FOLDER = fileURLToPath(new URL("../docs/screens/", import.meta.url));
const PASSWORD = "mot-de-passe-demo";
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
/** The same for the steps beside the main journey, whose pictures are shown small. */
const SMALL_PHONE = { ...PHONE, deviceScaleFactor: 1 };
const COMPUTER = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };

/** Pictures that are cut and shown elsewhere (`npm run pictures`): they keep their size. */
const WHOLE = new Set([
  "phone-1-form",
  "phone-2-stars",
  "phone-5-win",
  "office-computer-light-figures",
]);
/** Widths of the others in pixels, upright and across: readable beside each other, and the folder stays at about 2 MB. */
const SIZES = { upright: 340, across: 700 };
/** Of each of the two in a pair, and what is between them. */
const PAIR_SIZES = { upright: 230, across: 500 };
const PAIR_GAP = 12;
/** Of a page of paper. */
const PAPER_SIZES = { upright: 460, across: 460 };
/** Dots to the inch of a page of paper, before it is reduced. */
const PAPER_DOTS = 72;

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
  ["account", "/settings/account", "Mes données"],
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

/** Pages that visitors read besides the landing page and the prices. */
const SITE = [
  ["cookies", "/legal/cookies"],
  ["rgpd", "/legal/rgpd"],
  ["contact", "/contact"],
  ["status", "/statut"],
] as const;

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
  // Pictures that are no longer made are removed; earlier ones (`before/`) stay.
  const former = (await readdir(FOLDER)).filter((name) => name.endsWith(".webp"));
  await Promise.all(former.map((name) => rm(join(FOLDER, name))));
  const code = await photographJourney(browser, server);
  await photographTill(browser, code);
  await photographComputer(browser);
  await photographUnhappyVisit(browser);
  await photographInvitation(browser, server);
  await photographEntryWithoutReview(browser, server);
  await photographOtherPages(browser);
  await photographSite(browser);
  await photographOnboarding(browser);
  await copyPublicRatings(server);
  const screens = await demoScreens(server);
  await photographBackOffice(browser, screens);
  await photographPapers(browser, screens);
  await photographPushQuestion(browser);
  // Later steps change the first request of the dashboard.
  await photographChecks(browser, server);
  await photographPresence(browser, server);
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
  const demo = adminSql`(select id from public.campaigns where slug = 'demo')`;
  const former = await adminSql<{ id: string; weight: number }[]>`
    select id, weight from public.wheel_segments where campaign_id = ${demo}`;
  const winning = adminSql`
    select w.id from public.wheel_segments w join public.rewards r on r.id = w.reward_id
    where r.type = 'gift' and w.campaign_id = ${demo} order by w.position limit 1`;
  const losing = adminSql`
    select w.id from public.wheel_segments w where w.reward_id is null and w.campaign_id = ${demo} order by w.position limit 1`;
  await adminSql`
    update public.wheel_segments s
    set weight = case when s.id = (${ends === "wins" ? winning : losing}) then 100 else 0 end
    where s.campaign_id = ${demo}`;
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
  await page.getByRole("button", { name: typeset("Me l'envoyer par e-mail") }).click();
  const { html } = await latestMail(running.url, "marie@exemple.fr", { template: "prize" });
  await photographMail(browser, html ?? "", "mail-prize");
  return code;
}

/** A mail as a program on a phone shows it. */
async function photographMail(browser: Browser, html: string, name: string): Promise<void> {
  const page = await open(browser, PHONE);
  await page.setContent(html);
  await page.waitForLoadState("networkidle");
  await take(page, name);
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

async function photographSite(browser: Browser): Promise<void> {
  for (const [device, settings, colorScheme] of [
    ["computer", COMPUTER, "light"],
    ["phone", SMALL_PHONE, "dark"],
  ] as const) {
    const page = await open(browser, { ...settings, colorScheme });
    for (const [name, path] of SITE) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      await take(page, `site-${device}-${colorScheme}-${name}`);
    }
  }
}

/** A new shop from its sign-up on: its trade, its wheel and its poster. */
async function photographOnboarding(browser: Browser): Promise<void> {
  for (const [device, settings, colorScheme] of [
    ["computer", COMPUTER, "light"],
    ["phone", SMALL_PHONE, "dark"],
  ] as const) {
    const page = await open(browser, { ...settings, colorScheme });
    const name = `onboarding-${device}-${colorScheme}`;
    const email = `nadia-${device}@exemple.fr`;
    await page.goto("/auth/signup");
    await page.getByLabel("Nom complet").fill("Nadia Roy");
    await page.getByRole("textbox", { name: "Adresse e-mail" }).fill(email);
    await page.getByLabel("Mot de passe", { exact: true }).fill("tournesol-lampe-47");
    await press(page, "Créer mon compte");
    await heading(page, "Vérifiez votre boîte mail");
    const { links } = await latestMail(server.url, email);
    const link = new URL(links.find((address) => address.includes("/auth/v1/verify")) ?? "");
    await page.goto(link.pathname + link.search);
    await heading(page, "Bienvenue sur Tournavis");
    await page.getByRole("link", { name: "Commencer", exact: true }).click();
    await page.getByLabel(typeset("Nom de l'organisation")).fill(`Maison Roy ${device}`);
    await press(page, "Continuer");
    await heading(page, "Votre magasin");
    await page.getByLabel("Nom du magasin").fill("Maison Roy Bastille");
    await page.getByLabel("Adresse", { exact: true }).fill("12 rue de la Roquette, 75011 Paris");
    await press(page, "Continuer");
    await heading(page, "Félicitations !");
    await page.getByRole("link", { name: "Choisir mes gains" }).click();
    await heading(page, "Votre métier");
    await take(page, `${name}-1-trade`);
    await page.getByRole("link", { name: "Boulangerie", exact: true }).click();
    await heading(page, "Votre roue");
    await page.waitForLoadState("networkidle");
    await take(page, `${name}-2-wheel`);
    await press(page, "Créer ma campagne");
    await heading(page, "Votre affiche");
    await page.getByText("100%", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Télécharger le PDF" }).waitFor();
    await page.waitForLoadState("networkidle");
    await take(page, `${name}-3-poster`);
  }
}

/** Figures that a merchant has copied from the store's public page, a month apart. */
async function copyPublicRatings({ adminSql }: RunningServer): Promise<void> {
  await adminSql`
    insert into public.public_ratings (org_id, store_id, day, rating, reviews)
    select s.org_id, s.id, private.now_in('Europe/Paris')::date - r.days, r.rating, r.reviews
    from public.stores s
    join public.campaigns c on c.store_id = s.id and c.slug = 'demo'
    cross join (values (60, 4.2, 186), (30, 4.4, 341), (0, 4.6, 512)) as r (days, rating, reviews)`;
}

/** The poster and the report of a month, as they are printed. */
async function photographPapers(browser: Browser, screens: readonly Screen[]): Promise<void> {
  const page = await open(browser, COMPUTER);
  await signIn(page, "/dashboard");
  await heading(page, "Tableau de bord");
  const report = page.getByRole("region", { name: "Rapport du mois" });
  await photographPaper(page, report.getByRole("button"), "paper-report");
  const posters = screens.find(([name]) => name === "campaign-posters");
  await page.goto(posters?.[1] ?? "");
  const poster = page.getByRole("button", { name: "Télécharger le PDF" });
  await photographPaper(page, poster, "paper-poster");
}

async function photographPaper(page: Page, button: Locator, name: string): Promise<void> {
  const waiting = page.waitForEvent("download");
  await button.click();
  const pdf = await (await waiting).path();
  const drawn = join(folder, name);
  await promisify(execFile)("pdftoppm", ["-png", "-r", `${PAPER_DOTS}`, "-singlefile", pdf, drawn]);
  await keep(await readFile(`${drawn}.png`), name, PAPER_SIZES);
}

/**
 * A member who has opened a bad review is asked, once, whether this device should announce the next
 * one.
 */
async function photographPushQuestion(browser: Browser): Promise<void> {
  const page = await open(browser, { ...SMALL_PHONE, permissions: ["notifications"] });
  await signIn(page, "/reviews");
  await heading(page, "Avis");
  await page.getByRole("list", { name: "Avis", exact: true }).getByRole("button").first().click();
  await showBelow(page.getByRole("region", { name: typeset("Être prévenu sur cet appareil ?") }));
  await take(page, "office-phone-light-push");
}

/** One phone that plays under seven names: what a merchant is asked to look at, and how they ask for a proof of presence. */
async function photographChecks(browser: Browser, running: RunningServer): Promise<void> {
  const { adminSql } = running;
  const [campaign] = await adminSql<{ id: string }[]>`
    select id from public.campaigns where slug = 'demo'`;
  const device = randomUUID();
  await whileEveryTurn("wins", running, async () => {
    for (const name of ["Ana", "Léo", "Inès", "Hugo", "Zoé", "Tom", "Eva"]) {
      await spin(adminSql, { campaignId: campaign?.id ?? "", device, name: `${name} Petit` });
    }
  });
  await adminSql`select private.judge_spins(100)`;
  for (const [device, settings, colorScheme] of [
    ["computer", COMPUTER, "light"],
    ["phone", SMALL_PHONE, "dark"],
  ] as const) {
    const page = await open(browser, { ...settings, colorScheme });
    await signIn(page, "/dashboard");
    await heading(page, "Tableau de bord");
    await page.getByRole("link", { name: "Vérifier ces gains" }).click();
    const reason = page.getByRole("heading", { name: /^Un même appareil a joué/ });
    await reason.waitFor();
    // Late at night the code that was used at the till is a group, too.
    await page.getByText("Voir les gains").first().click();
    await showBelow(page.getByRole("heading", { name: "Gains à vérifier" }));
    await take(page, `office-${device}-${colorScheme}-checks`);
    if (device === "phone") continue;
    await page.getByText("Réglages", { exact: true }).click();
    const proof = page.getByLabel("Preuve de présence");
    await proof.selectOption({ label: typeset("Code qui change, à la caisse") });
    await proof.evaluate((field) => field.scrollIntoView({ block: "center" }));
    await take(page, `office-${device}-${colorScheme}-presence`);
  }
}

/** The code that turns on the till's screen, and a customer's phone that asks for it. */
async function photographPresence(browser: Browser, { adminSql }: RunningServer): Promise<void> {
  await adminSql`
    insert into private.check_settings (org_id, campaign_id, presence)
    select org_id, id, 'turning' from public.campaigns where slug = 'demo'`;
  const till = await open(browser, PHONE);
  await openTill(till);
  await press(till, "Code à afficher");
  await till.getByRole("dialog").getByRole("img").waitFor();
  await take(till, "till-light-5-presence");
  const page = await open(browser, SMALL_PHONE);
  await page.goto("/c/demo/play?entry=libre");
  await page.waitForLoadState("networkidle");
  await page.getByRole("textbox", { name: "Votre nom" }).fill("Malo Roux");
  await press(page, "Continuer");
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("malo.roux@exemple.fr");
  await press(page, "Continuer");
  await press(page, "Lancer la roue");
  await page.getByRole("heading", { name: typeset("Vous êtes sur place ?") }).waitFor();
  await take(page, "phone-16-presence");
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole("button", { name, exact: true }).click();
}

/** Scrolls until an element is just below the navigation. */
function showBelow(place: Locator): Promise<void> {
  return place.evaluate((title) => {
    title.scrollIntoView();
    window.scrollBy(0, -112);
  });
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

/**
 * Waits for the step that an answer opens: it takes a press a moment after it is shown, and looks
 * like it.
 */
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

/** The screens of the demo's own campaign, reward, store and best customer, whose addresses are unknown beforehand. */
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
    ["store-settings", `/stores/${store.id}/settings`, `Paramètres : ${store.name}`],
    ["store-figures", `/stores/${store.id}/stats`, `Statistiques : ${store.name}`],
    ["customer", `/customers/${customer.id}`, customer.name],
  ];
}

async function photographBackOffice(browser: Browser, more: readonly Screen[]): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const device of ["phone", "computer"] as const) {
      await photographScreens(browser, { device, colorScheme }, more);
    }
  }
}

type Look = { device: "phone" | "computer"; colorScheme: "light" | "dark" };

/** Screens on one device in one appearance: all in the usual one (a phone in the dark, a computer in the light), else the main ones. */
async function photographScreens(
  browser: Browser,
  { device, colorScheme }: Look,
  more: readonly Screen[],
): Promise<void> {
  const settings = device === "phone" ? SMALL_PHONE : COMPUTER;
  const page = await open(browser, { ...settings, colorScheme });
  const prefix = `office-${device}-${colorScheme}`;
  const isUsual = (device === "computer") === (colorScheme === "light");
  if (isUsual) {
    await page.goto("/auth?mode=signup");
    await heading(page, "Créer un compte");
    await take(page, `${prefix}-sign-up`);
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
    if (name === "store-figures") await showBelow(page.getByText("Page publique").first());
    await take(page, `${prefix}-${name}`);
    if (name === "dashboard" && isUsual && device === "computer") {
      await showFigures(page);
      await take(page, `${prefix}-figures`);
    }
    if (name === "reviews" && isUsual) {
      if (device === "phone") await openReview(page);
      await photographAnswer(page, `${prefix}-answer`);
    }
  }
  if (isUsual) await photographOpened(page, prefix);
}

/** Scrolls to the dashboard's figures of all time. */
async function showFigures(page: Page): Promise<void> {
  await page.getByRole("heading", { name: typeset("Depuis le début") }).evaluate((title) => {
    title.scrollIntoView();
    window.scrollBy(0, -28);
  });
}

/** A review with words, in the panel beside the list. */
async function openReview(page: Page): Promise<void> {
  const reviews = page.getByRole("list", { name: "Avis", exact: true });
  await reviews.getByRole("button").filter({ hasNotText: "Sans message" }).first().click();
  await page.getByRole("button", { name: "Répondre" }).first().waitFor();
  await page.waitForLoadState("networkidle");
}

/** The answer to a review, with a code of a reward. */
async function photographAnswer(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Répondre" }).first().click();
  const gesture = page.getByLabel("Geste commercial (facultatif)");
  await gesture.selectOption({ index: 1 });
  await showBelow(page.getByLabel("Votre réponse"));
  await take(page, name);
}

/** Scrolls to the wheel, which is below the campaign's fields. */
async function showWheel(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Essayer la roue" }).waitFor();
  await showBelow(page.getByRole("heading", { name: "La roue" }));
}

/**
 * Photographs the layers above a screen: the search for anything, and a campaign's QR code; on a
 * phone, the ticked rows.
 */
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
  await keep(await page.screenshot({ animations: "disabled" }), name, SIZES);
}

/** Largest widths of a picture, in pixels. */
type Sizes = { upright: number; across: number };

/** Puts a picture into the folder, and into a pair where there is a former one of its name. */
async function keep(png: Buffer, name: string, sizes: Sizes): Promise<void> {
  const isWhole = WHOLE.has(name);
  const whole = { upright: Infinity, across: Infinity };
  const reduced = await develop([png], isWhole ? whole : sizes, isWhole ? 0.8 : 0.55);
  await writeFile(join(FOLDER, `${name}.webp`), reduced);
  if (formerFolder !== null && formerNames.has(`${name}.png`)) {
    const former = await readFile(join(formerFolder, `${name}.png`));
    const pair = await develop([former, png], PAIR_SIZES, 0.5);
    await writeFile(join(FOLDER, "pairs", `${name}.webp`), pair);
  }
  process.stdout.write(`${name}\n`);
}

/** Pictures side by side as one WebP, a tenth as heavy: the browser that took them knows how. All are as high as the first. */
async function develop(pngs: readonly Buffer[], sizes: Sizes, quality: number): Promise<Buffer> {
  const sources = pngs.map((png) => `data:image/png;base64,${png.toString("base64")}`);
  const webp = await darkroom.evaluate(
    async ({ sources, sizes, quality, gap }) => {
      const images = await Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return image;
        }),
      );
      const [first] = images;
      if (!first) throw new Error("no picture");
      const { naturalWidth, naturalHeight } = first;
      const most = naturalWidth < naturalHeight ? sizes.upright : sizes.across;
      const width = Math.min(naturalWidth, most);
      const canvas = document.createElement("canvas");
      canvas.width = Math.round((width + gap) * images.length - gap);
      canvas.height = Math.round((naturalHeight / naturalWidth) * width);
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      context.imageSmoothingQuality = "high";
      images.forEach((image, index) => {
        const height = Math.round((image.naturalHeight / image.naturalWidth) * width);
        context.drawImage(image, Math.round((width + gap) * index), 0, Math.round(width), height);
      });
      return canvas.toDataURL("image/webp", quality);
    },
    { sources, sizes, quality, gap: PAIR_GAP },
  );
  return Buffer.from(webp.slice(webp.indexOf(",") + 1), "base64");
}
