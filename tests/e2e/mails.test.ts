import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import {
  type EncodedLogo,
  encodeLogo,
} from "../../supabase/functions/_shared/images/encode-logo.ts";
import { QR_PART } from "../../supabase/functions/_shared/messages/layout.ts";
import { type MailSender, renderMail } from "../../supabase/functions/_shared/messages/render.ts";
import { accessibilityProblems, launchBrowser } from "../harness/browser.ts";
import { isDeep } from "../harness/depth.ts";
import { readQrCodes } from "./support/qr.ts";

/** Mails as a mail program shows them. With SCREENSHOTS=<folder> their pictures are kept. */

const FOLDER = process.env.SCREENSHOTS;

let browser: Browser;
let logo: EncodedLogo;
beforeAll(async () => {
  browser = await launchBrowser();
  logo = await drawnLogo();
});
afterAll(() => browser.close());

/** A merchant's logo as a merchant would upload it, a name and a mark, the way that the product publishes it. */
async function drawnLogo() {
  const page = await browser.newPage({ viewport: { width: 800, height: 240 } });
  await page.setContent(`<body style="margin:0;background:#fff"><svg width="800" height="240" viewBox="0 0 800 240">
    <g fill="none" stroke="#b4532a" stroke-width="12" stroke-linecap="round"><path d="M40 90h120v50a50 50 0 0 1-50 50h-20a50 50 0 0 1-50-50zM160 105h20a24 24 0 0 1 0 48h-20M80 62c-10-16 10-24 0-40M120 62c-10-16 10-24 0-40"/></g>
    <text x="240" y="118" font-family="serif" font-size="76" fill="#3a2415">Café</text><text x="240" y="200" font-family="serif" font-size="92" fill="#b4532a">Bertille</text></svg></body>`);
  const picture = new Uint8Array(await page.screenshot());
  await page.close();
  return encodeLogo(picture, "image/png");
}

const sender: MailSender = {
  siteUrl: "https://avis.exemple.fr",
  operator: { company: "Roue & Cie", address: null, contact_email: "bonjour@exemple.fr" },
  readLogo: async () => logo.screen,
};

const prize = {
  path: "/c/demo/gain#gain=0197a1b2-c3d4-8abc-8def-0123456789ab.0197a1b2-c3d4-8abc-8def-0123456789ac",
  code: "CAFE-7K2M9QXP",
  name: "Zoé",
  until: { at: "2027-01-21T22:59:59+00:00", timezone: "Europe/Paris" },
  facts: {
    prize: "Un café gourmand et sa part de tarte du jour",
    store: "Café Bertille",
    address: "4 rue des Lilas, 75020 Paris",
    rules: "/c/demo/reglement?version=1",
  },
};
const letter = {
  ...prize.facts,
  body: "Bonjour Zoé,\n\nMerci de votre message. Samedi, nous étions deux de moins en salle, et cela s'est senti. Nous aimerions vous accueillir mieux que cela.\n\nÀ bientôt,\nMarie, pour toute l'équipe",
  reply_to: "marie@exemple.fr",
};
const day = (at: string) => ({ at: `${at}T12:00:00+00:00`, timezone: "Europe/Paris" });
const contract = {
  name: "Marie",
  facts: { organization: "Maison Bertille" },
  days: { day: day("2026-12-21") },
};
const low = {
  name: "Marie",
  facts: {
    store: "Café Bertille",
    rating: "2",
    review: "0197a1b2-c3d4-8abc-8def-0123456789ab",
    words: "Vingt minutes d'attente pour un café, et personne pour s'excuser.",
    token: "t",
  },
};
const figures = {
  name: "Marie",
  facts: {
    organization: "Maison Bertille",
    scans: "120",
    reviews: "32",
    average: "4,6",
    spins: "30",
    wins: "12",
    redemptions: "7",
    token: "t",
  },
  days: { from: day("2026-11-16"), to: day("2026-11-22") },
};
const counted = { scans: 412, reviews: 130, spins: 121, wins: 48, redemptions: 31 };
const totals = { ...counted, rating_sum: 598, five_star_reviews: 90 };
const report = {
  organization: "Maison Bertille",
  month: "2026-10-01",
  figures: {
    totals,
    previous: totals,
    days: [],
    funnel: { ...counted, free: { spins: 0, wins: 0, redemptions: 0 } },
    return: {
      ...{ visits: 0, revenue: 0, unestimated: 0, cost: 0, unpriced: 0, stores: 1 },
      ...{ baskets: [], plan: { plan: "pro", billing: "monthly" } },
    },
  },
  public_pages: [],
};

/** A merchant's brand: the palest and the darkest of colours, and one that is usual. */
const PALE = { color: "#ffff00", logo: null };
const DARK = { color: "#000033", logo: null };
const USUAL = {
  color: "#b4532a",
  logo: { path: "o/l.webp", print_path: "o/l-print.webp", width: 384, height: 115 },
};

/** Names without a space, of the longest length: nothing else says where their lines end. */
const LONG = "Boulangerieartisanale".repeat(6).slice(0, NAME_MAX_LENGTH);
const endless = {
  prize: { ...prize, name: LONG.slice(0, 60), facts: { ...prize.facts, prize: LONG, store: LONG } },
  letter: { ...letter, store: LONG, body: `Bonjour,\n\n${LONG}${LONG}` },
  low: { ...low, facts: { ...low.facts, store: LONG, words: LONG } },
  contract: { ...contract, facts: { organization: LONG } },
  figures: { ...figures, facts: { ...figures.facts, organization: LONG } },
  addresses: {
    url: "https://avis.exemple.fr/auth/v1/verify?token=a&type=email_change",
    ...{ email: `${LONG.slice(0, 64)}@exemple.fr`, newEmail: `${LONG.slice(0, 60)}@exemple.fr` },
  },
};

type Row = readonly [template: string, data: object];

/** Those that stand for the others. */
const QUICK: readonly Row[] = [
  ["prize", { ...prize, brand: USUAL }],
  ["prize", { ...prize, brand: PALE }],
  ["prize_reminder", { ...prize, locale: "de", brand: DARK }],
  ["review_gesture", { ...prize, locale: "nl", facts: letter, brand: USUAL, white_label: true }],
  [
    "invitation",
    { path: "/invitation?token=a", organization: "Maison Bertille", inviter: "Marie Petit" },
  ],
  ["low_rating", { ...low, brand: USUAL }],
  ["weekly_summary", { ...figures, brand: DARK }],
  ["payment_failed", { ...contract, brand: USUAL, due_cents: 5880 }],
  ["reauthentication", { code: "483920" }],
  ["prize", { ...endless.prize, brand: USUAL }],
  ["low_rating", endless.low],
  ["email_change", endless.addresses],
];

/** All others, and what a merchant of a smaller plan sends. */
const DEEP: readonly Row[] = [
  ["prize", prize],
  ["prize_reminder", { ...prize, brand: USUAL }],
  ["prize_held", { ...prize, brand: USUAL }],
  ["prize_cancelled", { ...prize, brand: USUAL }],
  ["prize_released", { ...prize, brand: USUAL }],
  ["review_answer", { facts: letter, brand: USUAL }],
  ["review_gesture", { ...prize, facts: letter }],
  ["invitation", { path: "/invitation?token=a", organization: "Maison Bertille", brand: USUAL }],
  ["low_rating", low],
  ["daily_summary", { ...figures, brand: USUAL }],
  ["weekly_summary", figures],
  ["monthly_report", { ...figures, brand: USUAL, report }],
  ["trial_ending", contract],
  ["trial_ended", contract],
  ["payment_failed", contract],
  ["plan_suspended", { ...contract, brand: USUAL, due_cents: 171_360 }],
  ["plan_ended", { ...contract, brand: PALE }],
  ["organization_end", { ...contract, brand: DARK }],
  ["organization_kept", { ...contract, brand: USUAL }],
  ["organization_erased", { ...contract, brand: USUAL }],
  ["access_ended", { ...contract, brand: USUAL }],
  [
    "magic_link",
    { url: "https://avis.exemple.fr/auth/v1/verify?token=a&type=signup", code: "483920" },
  ],
  ["password_changed", {}],
  ["prize", endless.prize],
  ["prize_held", endless.prize],
  ["prize_cancelled", endless.prize],
  ["review_gesture", { ...endless.prize, facts: endless.letter }],
  [
    "contact_request",
    { facts: { topic: "Une question", sender: LONG, reply_to: "a@exemple.fr", body: LONG } },
  ],
  ["invitation", { path: "/invitation?token=a", organization: LONG.slice(0, 80) }],
  ["weekly_summary", endless.figures],
  ["plan_suspended", { ...endless.contract, due_cents: 171_360 }],
  ["organization_end", endless.contract],
  ["organization_erased", endless.contract],
  ["access_ended", endless.contract],
  ["confirmation", endless.addresses],
];

const MAILS = isDeep ? [...QUICK, ...DEEP] : QUICK;

it.each(MAILS.map(([template, data], index) => ({ template, data, index })))(
  "the mail $template ($index) can be read on a phone and on a computer, by day and by night",
  async ({ template, data, index }) => {
    const { html, pictures } = await renderMail(
      { template, recipient: "ana@exemple.fr", data },
      sender,
    );
    const page = await browser.newPage();
    // As a mail program puts a mail's own parts into it.
    const shown = pictures.reduce(
      (text, { name, type, bytes }) =>
        text.replaceAll(
          `cid:${name}`,
          `data:${type};base64,${Buffer.from(bytes).toString("base64")}`,
        ),
      html,
    );
    for (const width of isDeep ? [320, 360, 640] : [360]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.setContent(shown);
        const look = `${width}, ${colorScheme}`;
        expect(await page.evaluate(() => document.documentElement.scrollWidth), look).toBe(width);
        expect(await accessibilityProblems(page, { looksOnly: true }), look).toEqual([]);
        for (const picture of await page.locator("img").all()) {
          // Shown, and as wide for its height as it is.
          const { shown, own } = await picture.evaluate((image: HTMLImageElement) => {
            const { paddingLeft, paddingTop } = getComputedStyle(image);
            const width = image.clientWidth - 2 * Number.parseFloat(paddingLeft);
            const height = image.clientHeight - 2 * Number.parseFloat(paddingTop);
            return { shown: width / height, own: image.naturalWidth / image.naturalHeight };
          });
          expect(shown / own, look).toBeCloseTo(1, 1);
        }
        if (pictures.some(({ name }) => name === QR_PART)) {
          // A till's camera sees the same on a phone's screen.
          expect(await readQrCodes(await page.screenshot({ fullPage: true })), look).toEqual([
            prize.code,
          ]);
        }
        if (FOLDER === undefined) continue;
        await mkdir(FOLDER, { recursive: true });
        const path = join(FOLDER, `${index}-${template}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
    await page.close();
  },
);
