import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { FIRST_LANGUAGE, LANGUAGES } from "#domain/text/languages.ts";
import { ROOT } from "../../server/root.ts";
import { customerMailsCopy } from "../../supabase/functions/_shared/messages/customer-mails.copy.ts";
import {
  type CustomerMailWords,
  customerMails,
} from "../../supabase/functions/_shared/messages/customer-mails.ts";
import { htmlOf, textOf } from "../../supabase/functions/_shared/messages/layout.ts";
import { merchantLook, PRODUCT_LOOK } from "../../supabase/functions/_shared/messages/mail-look.ts";
import { mailFrameCopy } from "../../supabase/functions/_shared/messages/mails.copy.ts";

/**
 * Texts of the phone pages, of mails to customers and of posters, in every language. Types compare the keys of a translation with the French ones, and the build
 * stops where a file is missing; here is what neither sees. `unused-texts.deep.test.ts` finds texts that no code mentions.
 */

const OTHERS = LANGUAGES.filter((language) => language !== FIRST_LANGUAGE);
const MAILS = "supabase/functions/_shared/messages/";
const PAPER = "web/features/campaigns/paper/";
const FOLDERS = ["web/customer/", "supabase/functions/_shared/domain/", MAILS, PAPER];

/** Texts that are the same in two languages, by the place where they stand. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  en: [
    "supabase/functions/_shared/messages/customer-mails.copy.ts customerMailsCopy.frame.sender",
    "web/customer/organization/organization.copy.ts organizationCopy.pageTitle",
    "web/customer/parts/ticket.copy.ts ticketCopy.test",
    "web/customer/rules/rules.copy.ts rulesCopy.prizes.points",
  ],
  de: [
    "web/customer/organization/organization.copy.ts organizationCopy.pageTitle",
    "web/customer/parts/ticket.copy.ts ticketCopy.test",
    "supabase/functions/_shared/domain/text/locale.copy.ts percentWritten",
  ],
  es: [
    "web/customer/organization/organization.copy.ts organizationCopy.pageTitle",
    "supabase/functions/_shared/domain/text/locale.copy.ts percentWritten",
  ],
  it: [
    "web/customer/organization/organization.copy.ts organizationCopy.pageTitle",
    "web/customer/review-flow/form-step.copy.ts formCopy.byEmail",
  ],
  nl: [
    "supabase/functions/_shared/messages/customer-mails.copy.ts customerMailsCopy.frame.sender",
    "web/customer/organization/organization.copy.ts organizationCopy.pageTitle",
    "web/customer/parts/ticket.copy.ts ticketCopy.test",
    "web/customer/review-flow/form-step.copy.ts formCopy.byEmail",
  ],
};

async function filesBelow(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(new URL(folder, ROOT), { recursive: true });
  return names.filter((name) => pattern.test(name)).map((name) => `${folder}${name}`);
}

/** French files that have a translation. */
async function translatedFiles(): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map((folder) => filesBelow(folder, /\.copy\.[a-z]{2}\.ts$/)),
  );
  return [...new Set(found.flat().map((file) => file.replace(/\.[a-z]{2}\.ts$/, ".ts")))].sort();
}

const translationOf = (file: string, language: string) => file.replace(/ts$/, `${language}.ts`);

/** Fills the places of a text: a number is plural, and a word stands for itself. */
function said(text: unknown): unknown {
  if (typeof text !== "function") return text;
  const fillings = [[2, 3, 4], [["a"], "b", "c"], ["x", "y", "z"], [{ code: "x", message: "y" }]];
  for (const filling of fillings) {
    try {
      const words: unknown = text(...filling);
      if (words !== undefined) return words;
    } catch {
      // It takes arguments of another kind.
    }
  }
  throw new Error("No filling fits.");
}

/** Every text of a module by the path to it. */
function textsOf(value: unknown, path: string[] = []): [string, unknown][] {
  const words = said(value);
  if (typeof words !== "object" || words === null) return [[path.join("."), words]];
  return Object.entries(words).flatMap(([key, one]) => textsOf(one, [...path, key]));
}

async function load(file: string): Promise<[string, unknown][]> {
  const module: object = await import(new URL(file, ROOT).href);
  return Object.entries(module).flatMap(([name, value]) => textsOf(value, [name]));
}

describe.each(OTHERS)("texts in %s", (language) => {
  it("exist for every French text of the phone pages", async () => {
    const french = await filesBelow("web/customer/", /\.copy\.ts$/);
    expect(french.length).toBeGreaterThan(15);
    const files = await filesBelow("web/customer/", new RegExp(`\\.copy\\.${language}\\.ts$`));
    expect(files.sort()).toEqual(french.map((file) => translationOf(file, language)).sort());
  });

  it("exist for the mails to customers", async () => {
    const files = await filesBelow(MAILS, new RegExp(`\\.copy\\.${language}\\.ts$`));
    expect(files).toEqual([`${MAILS}customer-mails.copy.${language}.ts`]);
  });

  it("exist for posters", async () => {
    const files = await filesBelow(PAPER, new RegExp(`\\.copy\\.${language}\\.ts$`));
    expect(files).toEqual([`${PAPER}paper.copy.${language}.ts`]);
  });

  it("are as many as the French ones, and called alike", async () => {
    // Of refusals a phone meets some, which their type holds to (`phone-errors.ts`); of consents it asks the
    // latest, of a trade it sees the prizes, and the French rules translate nothing.
    const isPart = (file: string) =>
      /\/(errors|consent|trade-wheels|translation)\.copy\.ts$/.test(file);
    const files = (await translatedFiles()).filter((file) => !isPart(file));
    for (const file of files) {
      const places = async (of: string) => (await load(of)).map(([path]) => path).sort();
      expect(await places(translationOf(file, language)), file).toEqual(await places(file));
    }
  });

  it("are none of them French, empty or without what fills them", async () => {
    const same: string[] = [];
    const empty: string[] = [];
    for (const file of await translatedFiles()) {
      const french = new Map(await load(file));
      for (const [path, words] of await load(translationOf(file, language))) {
        const place = `${file} ${path}`;
        if (words === "") empty.push(place);
        if (words === french.get(path)) same.push(place);
      }
    }
    expect(empty).toEqual([]);
    expect(same.sort()).toEqual([...(SAME[language] ?? [])].sort());
  });
});

/** The same texts, each of which is its own place. */
function placesOf(value: unknown, path: string[] = []): unknown {
  if (typeof value === "function") return () => `<${path.join(".")}>`;
  if (typeof value !== "object" || value === null) return `<${path.join(".")}>`;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, placesOf(one, [...path, key])]),
  );
}

function isOfShape<Shape>(value: unknown, _shape: Shape): value is Shape {
  return typeof value === "object";
}

it("every text of the mails to customers stands in one of them", async () => {
  const places = placesOf(customerMailsCopy);
  if (!isOfShape<CustomerMailWords>(places, customerMailsCopy)) throw new Error("No words.");
  const frame = { ...mailFrameCopy, ...places.frame, colon: places.colon };
  const looks = [PRODUCT_LOOK, merchantLook("Chez Ana", null, false)];
  const mails = Object.values(customerMails(places)).flatMap((copy) =>
    looks.flatMap((look) => [
      copy.subject,
      htmlOf(copy, look, { language: "en", frame }),
      textOf(copy, look, { language: "en", frame }),
    ]),
  );
  const written = mails.join("\n");
  const texts = textsOf(places).map(([, place]) => String(place));
  expect(texts.length).toBeGreaterThan(40);
  // The sender stands in no mail: tests/server/mail-templates.test.ts reads it.
  expect(texts.filter((place) => !written.includes(place))).toEqual(["<frame.sender>"]);
});
