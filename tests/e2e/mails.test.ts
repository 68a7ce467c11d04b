import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MailSender, renderMail } from "../../supabase/functions/_shared/messages/render.ts";
import { accessibilityProblems, launchBrowser } from "../harness/browser.ts";
import { isDeep } from "../harness/depth.ts";

/** Mails as a mail program shows them. With SCREENSHOTS=<folder> their pictures are kept. */

const FOLDER = process.env.SCREENSHOTS;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const sender: MailSender = {
  siteUrl: "https://avis.exemple.fr",
  operator: { company: "Roue & Cie", address: null, contact_email: "bonjour@exemple.fr" },
};

const prize = {
  path: "/c/demo/gain#gain=0197a1b2-c3d4-8abc-8def-0123456789ab.0197a1b2-c3d4-8abc-8def-0123456789ac",
  code: "CAFE-7K2M9QXP",
  until: { at: "2027-01-21T22:59:59+00:00", timezone: "Europe/Paris" },
  facts: {
    prize: "Un café gourmand et sa part de tarte du jour",
    store: "Café Bertille",
    address: "4 rue des Lilas, 75020 Paris",
  },
};
const facts = {
  store: "Café Bertille",
  organization: "Maison Bertille",
  rating: "2",
  day: "21/12/2026",
};
const figures = {
  scans: "120",
  reviews: "32",
  spins: "30",
  wins: "12",
  redemptions: "7",
  token: "t",
};
const week = { from: "16/11/2026", to: "22/11/2026" };

const MAILS = [
  ["prize", prize],
  // The palest and the darkest of colours.
  ["prize", { ...prize, brand: { color: "#ffff00", logo: null } }],
  ["prize_reminder", { ...prize, brand: { color: "#000033", logo: null } }],
  [
    "prize_reminder",
    { ...prize, locale: "de", facts: { ...prize.facts, rules: "/c/demo/reglement?version=1" } },
  ],
  [
    "review_gesture",
    {
      ...prize,
      locale: "nl",
      facts: {
        ...prize.facts,
        body: "Bonjour Zoé,\n\nMerci de votre message.",
        reply_to: "marie@exemple.fr",
      },
    },
  ],
  ["invitation", { path: "/invitation?token=a", organization: "Maison Bertille" }],
  [
    "low_rating",
    { facts: { ...facts, customer: "5f0c1f0e-6a3b-4a57-9a41-6c1d1f0e2b3c", token: "t" } },
  ],
  ["weekly_summary", { facts: { ...facts, ...week, ...figures } }],
  ["payment_failed", { facts }],
  ["reauthentication", { code: "483920" }],
] as const;

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
    for (const width of isDeep ? [360, 640] : [360]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.setContent(shown);
        const look = `${width}, ${colorScheme}`;
        expect(await page.evaluate(() => document.documentElement.scrollWidth), look).toBe(width);
        expect(await accessibilityProblems(page, { looksOnly: true }), look).toEqual([]);
        for (const picture of await page.locator("img").all()) {
          expect(
            await picture.evaluate((image: HTMLImageElement) => image.naturalWidth),
          ).toBeGreaterThan(0);
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
