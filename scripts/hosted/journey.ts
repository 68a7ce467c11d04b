import { chromium, devices, type Page } from "playwright-core";
import { ensureChromium } from "../../tests/harness/chromium.ts";

/** The wheel may lose: so many customers try at most. */
const CUSTOMERS = 12;

const DISCONNECTED = "net::ERR_INTERNET_DISCONNECTED";

/**
 * Plays on a phone, on pages of a static host: the organisation's page (by the slug `organization`), scan, details, stars,
 * wheel, and the prize that the phone keeps. Answers how many customers it took until one won a code. Throws on an error of a page and on a step that does not come.
 */
export async function playOnAPhone(
  siteUrl: string,
  { organization, campaign: slug }: { organization: string; campaign: string },
): Promise<number> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    headless: true,
    args: [
      ...["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ],
  });
  try {
    for (let customer = 1; customer <= CUSTOMERS; customer += 1) {
      const context = await browser.newContext({
        ...devices["Pixel 7"],
        locale: "fr-FR",
        reducedMotion: "reduce",
        baseURL: siteUrl,
      });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => {
        // Without network, what the page asks for fails, and the browser says so.
        if (message.type() !== "error" || message.text().endsWith(DISCONNECTED)) return;
        problems.push(`${message.text()} (${message.location().url})`);
      });
      if (customer === 1) await choose(page, organization, slug);
      const hasWon = await play(page, slug, customer);
      if (hasWon) await keep(page, slug);
      await context.close();
      if (problems.length > 0) throw new Error(`The pages complained:\n${problems.join("\n")}`);
      if (hasWon) return customer;
    }
  } finally {
    await browser.close();
  }
  throw new Error("Nobody won.");
}

/** The organisation's page leads to the campaign. */
async function choose(page: Page, organization: string, slug: string): Promise<void> {
  await page.goto(`/org/${organization}`);
  await page.getByRole("heading", { level: 1, name: "Où êtes-vous" }).waitFor();
  await page.locator(`main a[href="/c/${slug}/review"]`).click();
  await page.waitForURL(`**/c/${slug}/review`);
}

async function play(page: Page, slug: string, customer: number): Promise<boolean> {
  const title = (name: string) => page.getByRole("heading", { level: 1, name });
  await page.goto(`/c/${slug}/play?source=qr`);
  await page.waitForURL(`**/c/${slug}/review?source=qr`);
  await title("Donnez votre avis, tournez la roue.").waitFor();
  const fields = { Prénom: "Zoé", Nom: "Roy", "Adresse e-mail": `zoe.${customer}@exemple.fr` };
  for (const [label, value] of Object.entries(fields)) {
    await page.getByRole("textbox", { name: label, exact: true }).fill(value);
  }
  await page.getByRole("button", { name: "Continuer", exact: true }).click();
  await page.getByRole("button", { name: "5 sur 5", exact: true }).click();
  await title("À vous de tourner la roue").waitFor();
  await page.getByRole("link", { name: "Tourner la roue" }).click();
  await page.getByRole("button", { name: "Lancer la roue", exact: true }).click();
  const [won, lost] = [title("Bravo"), title("Pas cette fois")];
  await won.or(lost).waitFor();
  if (!(await won.isVisible())) return false;
  // Points come without a code, and are nothing to keep.
  return ticketCode(page)
    .waitFor({ timeout: 5_000 })
    .then(
      () => true,
      () => false,
    );
}

function ticketCode(page: Page) {
  return page.getByRole("article").getByRole("code").first();
}

/** The prize stays on the phone, and its page shows it with what the project says of it, then without network. */
async function keep(page: Page, slug: string): Promise<void> {
  const code = (await ticketCode(page).textContent())?.trim() ?? "";
  const asked = page.waitForResponse((response) => response.url().endsWith("/prize_status"));
  await page.goto(`/c/${slug}/gain`);
  await page.getByRole("heading", { level: 1, name: "Mes gains" }).waitFor();
  const answer = await asked;
  if (!answer.ok()) throw new Error(`prize_status answered ${answer.status()}.`);
  await page.getByRole("article").getByText(code).first().waitFor();
  await page.waitForFunction(async (name) => {
    const cache = await caches.open(`tournavis-gain:${name}`);
    return (await cache.match(`/c/${name}/gain`)) !== undefined;
  }, slug);
  await page.context().setOffline(true);
  await page.goto(`/c/${slug}/gain`);
  await page.getByRole("article").getByText(code).first().waitFor();
  await page.context().setOffline(false);
}
