import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { brandColors } from "#domain/rules/brand-colors.ts";
import { typeset } from "../../supabase/functions/_shared/domain/text/typeset.ts";
import { hostedMails } from "../../supabase/functions/_shared/messages/hosted-mails.ts";
import { htmlOf, textOf } from "../../supabase/functions/_shared/messages/layout.ts";
import { mailsCopy } from "../../supabase/functions/_shared/messages/mails.copy.ts";
import { type MailSender, renderMail } from "../../supabase/functions/_shared/messages/render.ts";

const FOLDER = new URL("../../supabase/templates/", import.meta.url);
const SITE = "https://avis.exemple.fr";
const OPERATOR = {
  company: "Roue & Cie SAS",
  address: "1 rue du Test, 75001 Paris",
  contact_email: "bonjour@exemple.fr",
};
const LINK = `${SITE}/auth/v1/verify?token=abc&type=signup&redirect_to=%2Fdashboard`;
/** Noon of a day in Paris, as the database hands it on. */
function dayOf(day: string) {
  return { at: `${day}T12:00:00+01:00`, timezone: "Europe/Paris" };
}

const data = {
  url: LINK,
  code: "483920",
  name: "Ana Petit",
  email: "ana@exemple.fr",
  newEmail: "petit@exemple.fr",
  facts: {
    store: "Le Comptoir",
    prize: "Un café",
    rating: "2",
    organization: "Chez Ana",
    month: "octobre 2026",
    scans: "120",
    reviews: "32",
    average: "4,6",
    spins: "30",
    wins: "12",
    redemptions: "7",
    rules: "/c/demo/reglement?version=1",
    review: "0197a1b2-c3d4-8abc-8def-0123456789ab",
    words: "Trop d'attente au comptoir.",
    body: "Bonjour Ana,\n\nMerci de votre message.",
    reply_to: "marie@exemple.fr",
    topic: "Une question sur Tournavis",
    sender: "Marie Petit",
    address: "4 rue des Lilas, 75020 Paris",
    token: "0b6f6a0e-1111-4222-8333-444455556666",
  },
  until: dayOf("2036-12-21"),
  days: { day: dayOf("2036-12-21"), from: dayOf("2036-11-03"), to: dayOf("2036-11-09") },
};

/** Mails that this platform alone writes: a hosted project's own authentication never sends them. */
const isOwn = (name: string) =>
  /^(invitation|account_deleted|prize|prize_\w+|low_rating|review_\w+|contact_request|\w+_summary|monthly_report|(organization|access|trial|payment|plan|passkey)_\w+)$/.test(
    name,
  );

const templates = Object.entries(mailsCopy);

const render = (
  template: string,
  values: object = data,
  operator: MailSender["operator"] = OPERATOR,
) =>
  renderMail({ template, recipient: "ana@exemple.fr", data: values }, { siteUrl: SITE, operator });

describe.each(templates)("the mail %s", (name, copy) => {
  const hosted = hostedMails[name] ?? copy;

  it("has files in step with its words (npm run templates)", async () => {
    expect(await readFile(new URL(`${name}.html`, FOLDER), "utf8")).toBe(htmlOf(hosted));
    expect(await readFile(new URL(`${name}.txt`, FOLDER), "utf8")).toBe(textOf(hosted));
  });

  it("uses placeholders that the hosted platform fills too", () => {
    const used = `${hosted.subject}${htmlOf(hosted)}${textOf(hosted)}`.match(/\{\{.*?\}\}/g) ?? [];
    const known = [
      ...[
        ...["ConfirmationURL", "Token", "TokenHash", "SiteURL", "Email", "NewEmail"],
        // Unknown there, hence left out with the lines that they stand in.
        ...["Operator", "Contact"],
        ...["Data.full_name", "Data.organization", "Data.inviter"],
      ].map((placeholder) => `{{ .${placeholder} }}`),
      "{{ if .Token }}",
      "{{ if .Operator }}",
      "{{ if .Contact }}",
      "{{ if .Data.full_name }}",
      "{{ if .Data.organization }}",
      "{{ if .Data.inviter }}",
      "{{ end }}",
    ];
    const isKnown = (placeholder: string) =>
      known.includes(placeholder) ||
      (isOwn(name) && /^\{\{ (if )?\.Data\.\w+ \}\}$/.test(placeholder));
    expect(used.filter((placeholder) => !isKnown(placeholder))).toEqual([]);
  });

  it("says the same as HTML and as plain text, filled", async () => {
    const { subject, html, text } = await render(name);
    const words = typeset(
      html
        .replace(/<(style|title)>[\s\S]*?<\/\1>/g, "")
        .replace(/<[^>]+>/g, " ")
        .replaceAll("&amp;", "&")
        .replace(/\s+/g, " "),
    );
    for (const part of [subject, html, text]) expect(part).not.toMatch(/\{\{|undefined/);
    const labels = [copy.deadline, copy.rules, copy.unsubscribe, ...(copy.figures ?? [])].flatMap(
      (part) => (part ? [part.label] : []),
    );
    for (const template of [copy.title, ...copy.notes, ...labels]) {
      const sentence = template
        .replace(/\{\{ (if [^}]*|end) \}\}/g, "")
        .replace("{{ .Data.store }}", data.facts.store);
      expect(text).toContain(sentence);
      expect(words).toContain(sentence);
    }
    // A letter has the greeting of its writer.
    const greeting = copy.letter ? "Bonjour Ana," : "Bonjour Ana Petit,";
    expect(text).toContain(greeting);
    expect(words).toContain(greeting);
    if (copy.button) {
      const url = copy.button.url.startsWith("{{ .ConfirmationURL")
        ? LINK
        : copy.button.url
            .replace("{{ .SiteURL }}", SITE)
            .replace(/\{\{ if .*$/, `/reviews?answer=${data.facts.review}`);
      expect(text).toContain(url);
      // The button, and the address to copy.
      expect(html.split(`href="${url.replaceAll("&", "&amp;")}`)).toHaveLength(3);
    }
    if (copy.code || copy.ticket) {
      expect(text).toContain("483920");
      expect(words).toContain("483920");
    }
    // No picture, no script, no style sheet from elsewhere; a picture of its own comes with it.
    expect(html).not.toMatch(/<(img(?! src="cid:)|script|link)|@import|url\(/);
  });

  if (isOwn(name)) return;
  it("stands in the hosted project's settings", async () => {
    const settings = await readFile(new URL("../config.toml", FOLDER), "utf8");
    expect(settings).toContain(
      `subject = "${copy.subject}"\ncontent_path = "./supabase/templates/${name}.html"\n`,
    );
  });
});

const SERVICE = [
  "Service exploité par Roue & Cie SAS, 1 rue du Test, 75001 Paris.",
  "Pour nous écrire : bonjour@exemple.fr",
];

/** The lines under a mail, which have to be the same in both of its forms. */
function footerOf({ html, text }: { html: string; text: string }): string[] {
  const lines = text
    .slice(text.indexOf("\n-- \n") + 5)
    .trimEnd()
    .split("\n");
  const cell = html.slice(html.lastIndexOf('<td class="muted" align="center"'));
  const shown = cell
    .slice(cell.indexOf(">") + 1, cell.indexOf("</td>"))
    .replace(/<a [^>]*>|<\/a>/g, "")
    .replaceAll("&amp;", "&")
    .split("<br>")
    .map((line) => line.trim());
  expect(shown).toEqual(lines);
  return lines;
}

describe("a mail", () => {
  it("has no file beside those of the words", async () => {
    const expected = templates.flatMap(([name]) => [`${name}.html`, `${name}.txt`]);
    expect((await readdir(FOLDER)).sort()).toEqual(expected.sort());
  });

  it("names who runs the service and where to write, and nobody where that is not said", async () => {
    const told = await render("recovery");
    expect(told.text).toContain(
      "\nService exploité par Roue & Cie SAS, 1 rue du Test, 75001 Paris.\nPour nous écrire : bonjour@exemple.fr\n",
    );
    expect(told.html).toContain("<br>Service exploité par Roue &amp; Cie SAS, 1 rue du Test");
    const untold = await render("recovery", data, {
      company: null,
      address: null,
      contact_email: null,
    });
    for (const part of [untold.text, untold.html]) {
      expect(part).not.toMatch(/exploité|Pour nous écrire/);
    }
  });

  it("greets without a name that is none", async () => {
    const spam = [
      "",
      "   ",
      "Gagnez sur evil.example",
      "https://evil.example",
      "Ana\r\nBcc: x",
      "a@exemple.fr",
      "<b>Ana</b>",
      "x".repeat(61),
    ];
    for (const name of spam) {
      const { text, html } = await render("confirmation", { url: LINK, name });
      expect(text).toContain("Bonjour,\n");
      expect(html).toContain(">Bonjour,<");
    }
    for (const name of ["Ana", "Anne-Marie d'Été", "J. Œuvrard", "Zoë Müller"]) {
      expect((await render("confirmation", { url: LINK, name })).text).toContain(
        `Bonjour ${name},`,
      );
    }
  });

  it("of an invitation leads to this site, and names the team and the inviter", async () => {
    const path = "/invitation?token=0a1b";
    const { text, html } = await render("invitation", {
      path,
      organization: "Café n° 5 & Cie",
      inviter: "Ana Petit",
    });
    expect(text).toContain(`${SITE}${path}`);
    expect(text).toContain(
      "sur Tournavis : Café n° 5 & Cie. L'invitation a été envoyée par Ana Petit.",
    );
    expect(html).toContain("Café n° 5 &amp; Cie");
    const bait = ["Gagnez sur evil.example", "https://evil.example", "a@exemple.fr", "", null];
    for (const organization of bait) {
      const bare = await render("invitation", { path, organization, inviter: organization });
      expect(bare.text).toContain("une équipe sur Tournavis.\n");
    }
    for (const elsewhere of ["//evil.example", "https://evil.example", "invitation"]) {
      await expect(render("invitation", { path: elsewhere })).rejects.toMatchObject({
        code: "invalid_data",
      });
    }
  });

  it("names what a merchant has worded with nothing in it that leads elsewhere", async () => {
    const bait =
      "Votre banque : https://evil.example/compte, a@evil.example, évil。com ou gagné.fr";
    const facts = { ...data.facts, store: bait, prize: bait, organization: bait };
    for (const name of [
      "prize",
      "low_rating",
      "weekly_summary",
      "organization_end",
      "organization_erased",
      "access_ended",
      "trial_ended",
    ]) {
      const { subject, text, html } = await render(name, { ...data, facts });
      for (const part of [subject, text, html]) {
        expect(part).not.toMatch(/evil\.|@evil|évil。|gagné\.fr|:\/\/evil/);
      }
      expect(text).toContain("https evil example/compte, a evil example, évil com ou");
    }
    for (const store of ["Chez St. Malo & fils", "1/2 pizza : 5.50 €", "Durand S.A.R.L."]) {
      const { subject } = await render("prize", { ...data, facts: { ...data.facts, store } });
      expect(subject).toBe(`Votre gain chez ${store.replaceAll(/\s/g, " ")}`);
    }
    // Cut where it is too long, seen to be cut, and never within a sign.
    const long = `${"a".repeat(78)}🎡 et la suite`;
    const { subject } = await render("prize", { ...data, facts: { ...data.facts, store: long } });
    expect(subject).toBe(`Votre gain chez ${"a".repeat(78)}🎡…`);
    const whole = { ...data.facts, store: "a".repeat(80) };
    const { subject: kept } = await render("prize", { ...data, facts: whole });
    expect(kept).toBe(`Votre gain chez ${whole.store}`);
  });

  it("keeps the paragraphs of a letter, says whose it is, and takes nothing of it for HTML", async () => {
    const body = "Bonjour,\r\n\r\nDeux cafés <b>offerts</b> : {{ .Token }}\nÀ bientôt";
    const reply_to = "marie@exemple.fr\r\nBcc: x@exemple.fr";
    const facts = { ...data.facts, body, reply_to, store: "Chez Ana\nBcc: x" };
    const { html, text, letter } = await render("review_answer", { ...data, facts });
    expect(text).toContain("Bonjour,\n\nDeux cafés <b>offerts</b> : {{ .Token }}\nÀ bientôt");
    const lines = [
      "Bonjour,",
      "<br>",
      "Deux cafés &lt;b&gt;offerts&lt;/b&gt; : {{ .Token }}",
      "À bientôt",
    ].map((line) => `<div dir="auto">${line}</div>`);
    expect(html).toContain(lines.join(""));
    expect(letter).toEqual({
      from: "Chez Ana Bcc: x via Tournavis",
      replyTo: "marie@exemple.fr Bcc: x@exemple.fr",
    });
    expect((await render("recovery")).letter).toBeNull();
  });

  it("quotes a customer with nothing in it that leads elsewhere", async () => {
    const words = "Voyez https://evil.example/compte ou a@evil.example.\nMerci.";
    const facts = { ...data.facts, words };
    const { text } = await render("low_rating", { ...data, facts });
    expect(text).toContain("« Voyez https evil example/compte ou a evil example.\nMerci. »");
  });

  it("reverses nothing that stands behind what somebody typed, and makes no link of what is left", async () => {
    const store = "Chez Ana\u202e exemple.\u202acom\u2066";
    const words = "Voyez evil.\u202eexample\u202c\nMerci.";
    const { subject } = await render("prize", { ...data, facts: { ...data.facts, store } });
    expect(subject).toBe("Votre gain chez Chez Ana exemple com");
    const { html, text } = await render("low_rating", { ...data, facts: { ...data.facts, words } });
    expect(text).toContain("« Voyez evil example\nMerci. »");
    const facts = { ...data.facts, body: "Bonjour\u202e\nAna", reply_to: "a@exemple.fr", store };
    const { html: letter, letter: from } = await render("review_answer", { ...data, facts });
    expect(from?.from).toBe("Chez Ana exemple com via Tournavis");
    expect(letter).toContain('<div dir="auto">Bonjour</div><div dir="auto">Ana</div>');
    expect(`${html}${text}${letter}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it("keeps names that are read from the right apart from the words around them", async () => {
    const theirs = { store: "مقهى الياسمين", prize: "قهوة (2)", organization: "בית קפה 24" };
    const words = "انتظرت 20 دقيقة!\nMerci.";
    const facts = { ...data.facts, ...theirs, words, body: `${words}\n24` };
    const { subject, text, html, senderName } = await render("prize_held", { ...data, facts });
    expect(subject).toContain("\u2068مقهى الياسمين\u2069");
    for (const part of [text, html]) {
      expect(part).toContain("\u2068مقهى الياسمين\u2069 vérifie votre gain");
      expect(part).toMatch(/«\s\u2068قهوة \(2\)\u2069\s»/);
    }
    // A header of addresses has no signs that a filter of mails might take for a trick.
    expect(senderName).toBe("مقهى الياسمين via Tournavis");
    const low = await render("low_rating", { ...data, facts });
    expect(low.text).toContain("\u2068انتظرت 20 دقيقة!\u2069\nMerci.");
    expect(low.html).toContain("\u2068انتظرت 20 دقيقة!\u2069<br>Merci.");
    const week = await render("weekly_summary", { ...data, facts });
    expect(week.text).toContain("chez \u2068בית קפה 24\u2069.");
    // A letter begins where its own letters say; no sign is put into it.
    const letter = await render("review_answer", { ...data, facts });
    const lines = ["انتظرت 20 دقيقة!", "Merci.", "24"].map(
      (line) => `<div dir="auto">${line}</div>`,
    );
    expect(letter.html).toContain(lines.join(""));
    const spaced = { ...facts, body: "<Merci>\n\nÀ bientôt" };
    const { html: apart } = await render("review_answer", { ...data, facts: spaced });
    expect(apart).toContain(
      '<div dir="auto">&lt;Merci&gt;</div><div dir="auto"><br></div><div dir="auto">À bientôt</div>',
    );
    expect(letter.letter?.replyTo).toBe("marie@exemple.fr");
  });

  it("from a merchant has their name, logo and colour, and the service's where there is none", async () => {
    const logo = { path: "o/l.webp", print_path: "o/l-print.webp", width: 384, height: 96 };
    const brand = { color: "#ffd400", logo };
    const values = { ...data, brand, facts: { ...data.facts, store: "Chez Ana" } };
    const readLogo = async () => new Uint8Array([1, 2, 3]);
    const from = (template: string, given: object, read?: typeof readLogo) =>
      renderMail(
        { template, recipient: "ana@exemple.fr", data: given },
        { siteUrl: SITE, operator: OPERATOR, ...(read && { readLogo: read }) },
      );
    const branded = await from("prize", values, readLogo);
    expect(branded).toMatchObject({ senderName: "Chez Ana via Tournavis" });
    expect(branded.pictures.map(({ name }) => name)).toEqual(["code-qr", "logo"]);
    expect(branded.html).toContain('src="cid:logo" width="176" height="44" alt="Chez Ana"');
    // Yellow is darkened until white can be read on it.
    expect(branded.html).toContain(brandColors(brand.color).main);
    expect(branded.html).not.toContain("#7c3aed");
    expect(branded.text).toContain("Envoyé par Tournavis pour Chez Ana");

    expect(footerOf(branded)).toEqual([
      "Envoyé par Tournavis pour Chez Ana",
      "Message automatique.",
      ...SERVICE,
    ]);

    const white = await from("prize", { ...values, white_label: true }, readLogo);
    expect(white.senderName).toBe("Chez Ana");
    expect(white.html).not.toContain("Envoyé par Tournavis");
    expect(footerOf(white)).toEqual(["Chez Ana", "Message automatique.", ...SERVICE]);
    expect(footerOf(await from("recovery", values))).toEqual([
      "Tournavis, des avis et une roue pour vos clients",
      SITE,
      "Message automatique lié à votre compte.",
      ...SERVICE,
    ]);
    // A logo that cannot be read holds no mail up.
    const bare = await from("prize", values);
    expect(bare.pictures.map(({ name }) => name)).toEqual(["code-qr"]);
    expect(bare.html).not.toContain("cid:logo");
    expect((await from("recovery", values)).senderName).toBeNull();
  });

  it.each(["review_answer", "review_gesture"])(
    "of a merchant's own words (%s) looks as they do, and comes from them",
    async (template) => {
      const brand = { color: "#1d4ed8", logo: null };
      const mail = await render(template, { ...data, brand });
      expect(mail.html).toContain('style="height:6px;background:#1d4ed8');
      expect(mail.senderName).toBe("Le Comptoir via Tournavis");
      expect(mail.letter?.from).toBe("Le Comptoir via Tournavis");
      expect(footerOf(mail)).toEqual(["Envoyé par Tournavis pour Le Comptoir", ...SERVICE]);

      const white = await render(template, { ...data, brand, white_label: true });
      expect(white.letter?.from).toBe("Le Comptoir");
      expect(footerOf(white)).toEqual(["Le Comptoir", ...SERVICE]);
    },
  );

  it.each(["low_rating", "daily_summary", "weekly_summary"])(
    "about a store's day (%s) is known by the store, and its foot is the service's",
    async (template) => {
      const brand = { color: "#1d4ed8", logo: null };
      const mail = await render(template, { ...data, brand, white_label: true });
      const name = template === "low_rating" ? "Le Comptoir" : "Chez Ana";
      expect(mail.senderName).toBe(`${name} via Tournavis`);
      expect(mail.html).toContain("#1d4ed8");
      expect(footerOf(mail)[0]).toBe("Tournavis, des avis et une roue pour vos clients");
    },
  );

  it.each([
    "trial_ending",
    "trial_ended",
    "payment_failed",
    "plan_suspended",
    "plan_ended",
    "organization_end",
    "organization_kept",
    "organization_erased",
    "access_ended",
  ])(
    "about the contract (%s) wears the merchant's look and comes from the service",
    async (template) => {
      const mail = await render(template, { ...data, brand: { color: "#1d4ed8", logo: null } });
      expect(mail.senderName).toBeNull();
      expect(mail.html).toContain("#1d4ed8");
      expect(mail.html).not.toContain("#7c3aed");
      expect(footerOf(mail)[0]).toBe("Tournavis, des avis et une roue pour vos clients");
    },
  );

  it("about a low rating shows its stars and words before it asks for an answer, and goes without words", async () => {
    const told = await render("low_rating");
    expect(told.text).toContain(
      "★★☆☆☆ 2/5\n« Trop d'attente au comptoir. »\n\nUn mot rapide peut tout changer.",
    );
    expect(told.html.indexOf("★★☆☆☆")).toBeLessThan(told.html.indexOf("Un mot rapide"));
    const { words: _, ...silent } = data.facts;
    const { text, html } = await render("low_rating", { ...data, facts: silent });
    expect(text).toContain("★★☆☆☆ 2/5\n\nUn mot rapide");
    expect(html).not.toContain("«");
  });

  it("with figures leaves out the mean of no review", async () => {
    expect((await render("weekly_summary")).text).toContain("Avis : 32, 4,6/5 en moyenne\n");
    const { average: _, ...facts } = data.facts;
    const { text, html } = await render("weekly_summary", { ...data, facts });
    expect(text).toContain("Avis : 32\n");
    expect(html).not.toContain("en moyenne");
  });

  it("that one may refuse leads to all one's notices as well", async () => {
    for (const template of ["low_rating", "daily_summary", "weekly_summary"]) {
      const { text, html } = await render(template);
      for (const part of [text, html]) {
        expect(part).toContain(`${SITE}/settings?section=notifications`);
      }
    }
  });

  it("writes days in words, and the month of a week once", async () => {
    expect((await render("payment_failed")).subject).toBe(
      "Votre paiement n'a pas abouti : vous avez jusqu'au dimanche 21 décembre 2036",
    );
    expect((await render("weekly_summary")).subject).toBe(
      "Votre semaine du lundi 3 au dimanche 9 novembre 2036",
    );
    expect((await render("daily_summary")).subject).toBe(
      "Vos chiffres du dimanche 9 novembre 2036",
    );
    const days = { from: dayOf("2036-12-29"), to: dayOf("2037-01-04") };
    expect((await render("weekly_summary", { ...data, days })).subject).toBe(
      "Votre semaine du lundi 29 décembre 2036 au dimanche 4 janvier 2037",
    );
    // A mail that was written before this release brings its day as it was.
    const facts = { ...data.facts, day: "21/12/2026" };
    expect((await render("trial_ending", { ...data, facts, days: {} })).subject).toBe(
      "Votre essai gratuit se termine le 21/12/2026",
    );
  });

  it("about a bill says how much is due, and goes without where that is not known", async () => {
    for (const template of ["payment_failed", "plan_suspended"]) {
      const told = await render(template, { ...data, due_cents: 171_360 });
      expect(told.text).toMatch(/Montant à régler\s: 1\s713,60\s€ TTC\n/);
      expect(told.html).toMatch(/>1\s713,60\s€ TTC<\/p>/);
      expect(told.html).toMatch(/une facture de 1\s713,60\s€ reste/i);
      const { text, html } = await render(template);
      for (const part of [text, html]) expect(part).not.toMatch(/Montant|TTC/);
      await expect(render(template, { ...data, due_cents: 0.5 })).rejects.toThrow("invalid_data");
    }
  });

  it("about a prize that was cancelled promises none: it leads to its code and to the store", async () => {
    const { text, html, pictures } = await render("prize_cancelled");
    expect(text).toContain("Voir mon code :\n");
    expect(text).not.toContain("Voir mon gain");
    expect(text).toContain(
      "Le Comptoir, 4 rue des Lilas, 75020 Paris\nVoir sur la carte : https://",
    );
    expect(html).toContain("query=Le+Comptoir%2C+4+rue+des+Lilas");
    expect(pictures).toEqual([]);
    const { address: _, ...nowhere } = data.facts;
    const bare = await render("prize_cancelled", { ...data, facts: nowhere });
    for (const part of [bare.text, bare.html]) expect(part).not.toContain("Voir sur la carte");
  });

  it("about a prize that is let go shows its ticket", async () => {
    const { text, pictures } = await render("prize_released");
    expect(text).toContain("Votre code : 483920\nValable jusqu'au dimanche 21 décembre 2036");
    expect(pictures.map(({ name }) => name)).toEqual(["code-qr"]);
  });

  it("of a prize says until when in words, where, and on which map", async () => {
    const until = { at: "2027-01-21T22:59:59+00:00", timezone: "Europe/Paris" };
    const { text, html } = await render("prize", { ...data, until });
    expect(text).toMatch(/Valable jusqu'au jeudi 21 janvier( 2027)?\n/);
    expect(text).toContain(
      "Le Comptoir, 4 rue des Lilas, 75020 Paris\nVoir sur la carte : https://www.google.com/maps/",
    );
    expect(html).toContain("query=Le+Comptoir%2C+4+rue+des+Lilas");
    const { address: _, ...nowhere } = data.facts;
    const bare = await render("prize", { ...data, facts: nowhere });
    for (const part of [bare.text, bare.html]) expect(part).not.toContain("Voir sur la carte");
  });

  it("shows values, never reads them as a template or as HTML", async () => {
    const email = `{{ .Token }}"><img src=x>'&`;
    const { html, text } = await render("magic_link", { url: LINK, email, code: "483920" });
    expect(text).toContain(email);
    expect(html).toContain("{{ .Token }}&quot;&gt;&lt;img src=x&gt;&#39;&amp;");
    expect(html).not.toContain("<img");
  });

  it("has no second line in its subject", async () => {
    const { subject } = await render("reauthentication", { code: "12\r\nBcc: x@exemple.fr" });
    expect(subject).toBe("12 Bcc: x@exemple.fr est votre code de vérification");
  });

  it("leaves the code out of a link's mail when there is none", async () => {
    const { html, text } = await render("magic_link", { url: LINK });
    expect(text).not.toContain("saisissez ce code");
    expect(html).not.toContain("saisissez ce code");
  });

  it.each([
    ["unknown_template", "autre", data],
    ["unknown_template", "toString", data],
    ["missing_value", "confirmation", {}],
    ["invalid_data", "confirmation", { url: "javascript:alert(1)" }],
    ["invalid_data", "confirmation", { url: 1 }],
  ])("is refused: %s", async (code, template, values) => {
    await expect(render(template, values)).rejects.toMatchObject({ code });
  });
});

it.each([1, 3])("shows each of %i figures, the last one as wide as the two above", (count) => {
  const { figures = [], ...copy } = mailsCopy.weekly_summary;
  const shown = figures.slice(0, count);
  const html = htmlOf({ ...copy, figures: shown });
  for (const { value } of shown) expect(html).toContain(value);
  expect(html.match(/<td class="ticket" colspan="2"/g)).toHaveLength(1);
});
