import { describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "#domain/text/languages.ts";
import { renderMail } from "../../supabase/functions/_shared/messages/render.ts";

/** Mails to customers in the language of each. */

const SITE = "https://avis.exemple.fr";
const MAILS = [
  "prize",
  "prize_reminder",
  "prize_held",
  "prize_cancelled",
  "prize_released",
  "review_answer",
  "review_gesture",
];
const data = {
  path: "/c/demo/gain#gain=a.b",
  code: "CAFE-7K2M9QXP",
  name: "Zoé",
  until: { at: "2037-01-01T22:59:59+00:00", timezone: "Europe/Paris" },
  facts: {
    store: "Le Comptoir",
    prize: "Un café",
    address: "4 rue des Lilas, 75020 Paris",
    rules: "/c/demo/reglement?version=1",
    body: "Bonjour Zoé,\n\nMerci.",
    reply_to: "marie@exemple.fr",
  },
};

const render = (template: string, locale: unknown, more: object = {}) =>
  renderMail(
    { template, recipient: "zoe@exemple.fr", data: { ...data, ...more, locale } },
    { siteUrl: SITE, operator: { company: "Roue & Cie", address: null, contact_email: null } },
  );

/** English has its comma in some versions of ICU alone. */
const UNTIL: Readonly<Record<Language, RegExp>> = {
  fr: /jusqu’au jeudi 1er janvier 2037/,
  en: /until Thursday,? 1 January 2037/,
  de: /bis Donnerstag, 1\. Januar 2037/,
  es: /hasta el jueves, 1 de enero de 2037/,
  it: /fino a giovedì 1 gennaio 2037/,
  nl: /tot en met donderdag 1 januari 2037/,
};

const GOVERNS: Readonly<Record<Language, string>> = {
  fr: "Règlement du jeu",
  en: "the French text alone governs",
  de: "es gilt allein der französische Text",
  es: "solo vale el texto francés",
  it: "fa fede il solo testo francese",
  nl: "alleen de Franse tekst geldt",
};

describe.each(LANGUAGES)("a customer who reads %s", (language) => {
  it.each(MAILS)("gets the mail %s in it, whole in both of its forms", async (template) => {
    const mail = await render(template, language);
    const french = await render(template, "fr");
    expect(mail.html).toContain(`<html lang="${language}">`);
    for (const part of [mail.subject, mail.html, mail.text]) {
      expect(part).not.toMatch(/\{\{|undefined/);
    }
    expect(mail.text).toContain("Le Comptoir");
    expect(mail.text.match(/https?:\/\/\S+/g)).toEqual(french.text.match(/https?:\/\/\S+/g));
    expect(mail.html.match(/href="[^"]+"/g)).toEqual(french.html.match(/href="[^"]+"/g));
    expect(mail.pictures.map(({ name }) => name)).toEqual(french.pictures.map(({ name }) => name));
    expect(mail.letter?.replyTo).toBe(french.letter?.replyTo);
    if (language === "fr") return;
    const lines = (text: string) => text.split("\n").filter((line) => /\p{L}{3}/u.test(line));
    const same = lines(mail.text).filter((line) => lines(french.text).includes(line));
    // The words of the store and of its answer are their own.
    const theirs = /^(Un café|Le Comptoir(, .*)?|Bonjour Zoé,|Merci\.|https:\S+)$/;
    expect(same.filter((line) => !theirs.test(line))).toEqual([]);
  });

  it("reads until when in its way, and that the French rules govern", async () => {
    const { text, subject, senderName } = await render("prize_reminder", language);
    expect(text).toMatch(UNTIL[language]);
    expect(subject).toMatch(UNTIL[language]);
    expect(text).toContain(GOVERNS[language]);
    expect(text).toContain(`${SITE}/c/demo/reglement?version=1`);
    expect(senderName).toMatch(/^Le Comptoir .*Tournavis$/);
  });
});

it.each([undefined, "pt", null, 3])("a mail whose language is %s is French", async (locale) => {
  expect(await render("prize", locale)).toEqual(await render("prize", "fr"));
});

it("a mail to a merchant is French, whatever it names", async () => {
  const facts = { organization: "Chez Ana" };
  const days = { day: { at: "2036-12-21T22:59:59+00:00", timezone: "Europe/Paris" } };
  const { html, subject } = await render("trial_ending", "de", { facts, days });
  expect(html).toContain('<html lang="fr">');
  expect(subject).toBe("Votre essai gratuit se termine le dimanche 21 décembre 2036");
});
