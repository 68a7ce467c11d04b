import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { readConfig } from "../server/config.ts";
import { type RunningServer, startServer } from "../server/server.ts";
import { ensureChromium } from "../tests/harness/chromium.ts";

/** `npm run screens`: pictures of the phone pages and of the till, from a new demo shop, into docs/screens. */

const FOLDER = fileURLToPath(new URL("../docs/screens/", import.meta.url));
const PASSWORD = "mot-de-passe-demo";
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
const COMPUTER = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };

const folder = await mkdtemp(join(tmpdir(), "tournavis-screens-"));
await chmod(folder, 0o711);
const server = await startServer(
  readConfig({
    env: { PORT: "0", TOURNAVIS_DATA: folder, DEMO_PASSWORD: PASSWORD },
    argv: [],
    cwd: folder,
  }),
);
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ["--disable-gpu"],
});
try {
  await mkdir(FOLDER, { recursive: true });
  await makeEveryTurnWin(server);
  const code = await photographJourney(browser);
  await photographTill(browser, code);
  await photographComputer(browser);
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

/** A ticket is what the pictures are for: the first reward with a code takes the whole wheel. */
async function makeEveryTurnWin({ adminSql }: RunningServer): Promise<void> {
  await adminSql`
    update public.wheel_segments s set weight = case when s.id = (
      select w.id from public.wheel_segments w
      join public.rewards r on r.id = w.reward_id
      where r.type = 'gift' order by w.position limit 1
    ) then 100 else 0 end`;
}

async function photographJourney(browser: Browser): Promise<string> {
  const page = await open(browser, PHONE);
  await page.goto("/c/demo");
  await page.waitForLoadState("networkidle");
  await take(page, "phone-1-form");
  await page.getByRole("textbox", { name: "Prénom", exact: true }).fill("Marie");
  await page.getByRole("textbox", { name: "Nom", exact: true }).fill("Lefèvre");
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("marie@exemple.fr");
  await page.getByRole("button", { name: "Continuer" }).click();
  await heading(page, "Comment s'est passée votre visite ?");
  await take(page, "phone-2-stars");
  await page.getByRole("button", { name: "4 sur 5" }).click();
  await heading(page, "À vous de tourner la roue");
  await take(page, "phone-3-ready");
  await page.getByRole("link", { name: "Tourner la roue" }).click();
  await heading(page, "La roue est à vous");
  await page.waitForLoadState("networkidle");
  await take(page, "phone-4-wheel");
  await page.getByRole("button", { name: "Lancer la roue" }).click();
  await heading(page, "C'est gagné");
  await page.getByRole("article").getByRole("img").waitFor();
  await take(page, "phone-5-win");
  return ((await page.getByRole("article").getByRole("code").textContent()) ?? "").trim();
}

async function photographTill(browser: Browser, code: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await open(browser, { ...PHONE, colorScheme });
    await page.goto("/encaisser");
    await heading(page, "Connexion");
    await take(page, `till-${colorScheme}-0-sign-in`);
    await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("demo@tournavis.fr");
    await page.getByLabel("Mot de passe", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Se connecter" }).click();
    const field = page.getByRole("textbox", { name: "Code du client" });
    await field.waitFor();
    await take(page, `till-${colorScheme}-1-entry`);
    await field.fill(code);
    await page.getByRole("button", { name: "Vérifier le code" }).click();
    if (colorScheme === "light") {
      await heading(page, "Code valable");
      await take(page, "till-light-2-valid");
      await page.getByRole("button", { name: "Valider le gain" }).click();
      await heading(page, "C'est validé");
      await take(page, "till-light-3-done");
    } else {
      await heading(page, "Déjà utilisé");
      await take(page, "till-dark-2-used");
    }
  }
}

async function photographComputer(browser: Browser): Promise<void> {
  const page = await open(browser, COMPUTER);
  await page.goto("/c/demo/review");
  await page.waitForLoadState("networkidle");
  await take(page, "computer-1-form");
  await page.goto("/");
  await page.getByRole("link", { name: "Se connecter" }).waitFor();
  await take(page, "computer-2-home");
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
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
}
