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

/** Sentence of a mail to a customer who agreed to marketing, and the label of the link that withdraws it. */
const OFFERS: Readonly<Record<Language, readonly [why: string, stop: string]>> = {
  fr: ["Vous avez accepté de recevoir les offres de Maison Zoé.", "Ne plus les recevoir"],
  en: ["You agreed to receive offers from Maison Zoé.", "Stop receiving them"],
  de: [
    "Sie haben zugestimmt, Angebote von Maison Zoé zu erhalten.",
    "Keine Angebote mehr erhalten",
  ],
  es: ["Aceptó recibir las ofertas de Maison Zoé.", "Dejar de recibirlas"],
  it: ["Ha accettato di ricevere le offerte di Maison Zoé.", "Non riceverle più"],
  nl: [
    "U hebt ermee ingestemd aanbiedingen van Maison Zoé te ontvangen.",
    "Geen aanbiedingen meer ontvangen",
  ],
};

describe.each(LANGUAGES)("a customer who agreed to marketing and reads %s", (language) => {
  const token = "a-Z_".repeat(16);
  const offers = { token, organizer: "Maison Zoé" };
  const page = `${SITE}/unsubscribe?token=${token}&kind=offers&lang=${language}`;
  const [why, stop] = OFFERS[language];

  it.each(MAILS)("is led by the mail %s to where they withdraw it", async (template) => {
    const mail = await render(template, language, { offers });
    const colon = language === "fr" ? "\u00a0:" : ":";
    expect(mail.text).toContain(`${why} ${stop}${colon}\n${page}\n`);
    expect(mail.html).toContain(why);
    expect(mail.html).toMatch(
      new RegExp(`<a href="${page.replaceAll("&", "&amp;").replace("?", "\\?")}"[^>]*>${stop}</a>`),
    );
    // A prize or an answer is no mailing: a mail program's button would promise an end of these.
    expect(mail.unsubscribeUrl).toBeNull();
  });

  it("without consent nothing of it stands there", async () => {
    for (const template of MAILS) {
      const { text, html } = await render(template, language);
      expect(text + html).not.toMatch(/unsubscribe/);
    }
  });
});

/** Line of a ticket that several stores take. */
const ANYWHERE: Readonly<Record<Language, string>> = {
  fr: "Valable dans tous les magasins",
  en: "Valid in all stores",
  de: "In allen Geschäften gültig",
  es: "Válido en todas las tiendas",
  it: "Valido in tutti i negozi",
  nl: "Geldig in alle winkels",
};

it.each(LANGUAGES)(
  "a ticket in %s says where it is taken once its own store is gone",
  async (language) => {
    const { address, ...facts } = data.facts;
    for (const template of ["prize", "prize_reminder", "prize_released", "review_gesture"]) {
      const usual = await render(template, language);
      expect(usual.text + usual.html).not.toContain(ANYWHERE[language]);
      expect(usual.text).toContain(address);
      const { text, html } = await render(template, language, {
        facts: { ...facts, anywhere: "stores" },
      });
      expect(text).toContain(`\n\n${ANYWHERE[language]}\n\n`);
      expect(text).not.toMatch(/\n\n\n/);
      expect(html).toContain(`>${ANYWHERE[language]}</p>`);
      expect(text + html).not.toContain("google.com/maps");
    }
  },
);

it("the name of an organisation makes no link in a mail to its customers", async () => {
  const offers = { token: "a".repeat(64), organizer: "https://gagnez.example" };
  const { text } = await render("prize", "fr", { offers });
  expect(text).not.toContain("gagnez.example");
});

it.each(["", "a".repeat(63), `${"a".repeat(63)}&`])(
  "a token that is none of ours (%j) makes no link",
  async (token) => {
    await expect(
      render("prize", "fr", { offers: { token, organizer: "Maison Zoé" } }),
    ).rejects.toMatchObject({ code: "invalid_data" });
  },
);
