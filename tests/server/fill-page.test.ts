import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { unknownOperator } from "#domain/schemas/operator.ts";
import { type Filling, fillPage } from "../../server/web/fill-page.ts";

const nobody: Filling = {
  origin: "https://avis.exemple.fr",
  operator: unknownOperator,
  offers: { google: false, phone: true, captcha: false, contact: true, payments: true },
  demoSlug: null,
  wheel: null,
  claims: null,
  application: { script: "/a.js", style: null },
};

it("keeps of each pair of cases the one that holds, also one within another", () => {
  const template = [
    '<when-known entry="company">A<when-known entry="address">B</when-known></when-known>',
    '<when-unknown entry="company">C</when-unknown>',
    '<when-known entry="google">D</when-known><when-known entry="phone">E</when-known>',
  ].join("");
  expect(fillPage(template, nobody)).toBe("CE");
  const operator = { ...unknownOperator, company: "SARL", address: null };
  expect(fillPage(template, { ...nobody, operator })).toBe("AE");
});

it("escapes what it fills in for where it stands", () => {
  const company = `Chez "Léa" & <Cie> </script>`;
  const filling = { ...nobody, operator: { ...unknownOperator, company } };
  const filled = fillPage('<p title="{{company}}">{{company}}</p>', filling);
  expect(filled).not.toMatch(/<Cie>|title="Chez "/);
  expect(filled).toContain("Chez &quot;Léa&quot; &amp; &lt;Cie&gt;");
  const json = fillPage('{"name":"{{json:company}}"}', filling);
  expect(json).not.toContain("<");
  expect(JSON.parse(json)).toEqual({ name: company });
  const data = fillPage("{{html:site_data}}", filling);
  expect(data).not.toContain("<");
  expect(JSON.parse(data)).toMatchObject({ operator: { company } });
});

it("leads to the wheel where there is no demo, and to its rules where there is one", () => {
  const places = '{{demo_href}}<when-known entry="demo_rules"> {{demo_rules}}</when-known>';
  expect(fillPage(places, nobody)).toBe("#roue-essai");
  expect(fillPage(places, { ...nobody, demoSlug: "demo" })).toBe(
    "/c/demo/review /c/demo/reglement",
  );
});

it("puts claims in as they are, and never reads them as places", () => {
  const template =
    '<when-known entry="claims">{{html:claims}}</when-known><when-unknown entry="claims">else</when-unknown>';
  expect(fillPage(template, nobody)).toBe("else");
  const claims = "<p>{{company}} {{html:claims}}</p>";
  expect(fillPage(template, { ...nobody, claims })).toBe(claims);
});

it("tells the page of prices whether anybody can subscribe", () => {
  const told = (payments: boolean) =>
    JSON.parse(
      fillPage("{{html:site_data}}", { ...nobody, offers: { ...nobody.offers, payments } }),
    );
  expect(told(true)).toMatchObject({ payments: true });
  expect(told(false)).toMatchObject({ payments: false });
});

describe("the legal pages", () => {
  /** The text of a prerendered page between two headings. */
  function section(
    page: "terms" | "privacy",
    title: string,
    operator: Filling["operator"],
  ): string {
    const template = readFileSync(new URL(`../../dist/site/${page}.html`, import.meta.url), "utf8");
    const html = fillPage(template, { ...nobody, operator }).split(`${title}</h2>`)[1] ?? "";
    return (html.split("</section>")[0] ?? "").replaceAll(/<[^>]*>/g, "").replaceAll("&#x27;", "'");
  }

  const known = {
    ...unknownOperator,
    company: "Roue SARL",
    address: "1 rue de la Paix, Paris",
    registration: "123",
    director: "Léa",
    host: "Nuage SA",
    contact_email: "bonjour@exemple.fr",
    dpo_email: "dpo@exemple.fr",
  };

  it("read as whole sentences when their operator has filled in nothing", () => {
    expect(section("terms", "1. Qui nous sommes", unknownOperator)).toBe(
      "Tournavis est exploité par l’exploitant de ce site.",
    );
    expect(section("privacy", "Délégué à la protection des données", unknownOperator)).toBe(
      "Pour toute question, adressez-vous à l’exploitant de ce site.",
    );
    expect(section("privacy", "Où elles sont", unknownOperator)).toMatch(
      /^Les données sont hébergées dans l’Union européenne\. Elles/,
    );
  });

  it("name the operator, as far as there is something to say", () => {
    expect(section("terms", "1. Qui nous sommes", known)).toBe(
      "Tournavis est exploité par Roue SARL, 1 rue de la Paix, Paris, immatriculée sous le numéro 123." +
        "Directeur de la publication\u00a0: Léa.Hébergeur\u00a0: Nuage SA.Pour nous écrire\u00a0: bonjour@exemple.fr.",
    );
    expect(section("terms", "1. Qui nous sommes", { ...known, address: null, host: null })).toBe(
      "Tournavis est exploité par Roue SARL, immatriculée sous le numéro 123." +
        "Directeur de la publication\u00a0: Léa.Pour nous écrire\u00a0: bonjour@exemple.fr.",
    );
    expect(section("privacy", "Délégué à la protection des données", known)).toBe(
      "Pour toute question\u00a0: dpo@exemple.fr.",
    );
  });
});
