import { expect, it } from "vitest";
import { unknownOperator } from "#domain/operator.ts";
import { type Filling, fillPage } from "../../server/web/fill-page.ts";

const nobody: Filling = {
  origin: "https://avis.exemple.fr",
  operator: unknownOperator,
  offers: { google: false, phone: true, captcha: false },
  demoSlug: null,
  wheel: null,
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

it("says what an operator has not said, and leads to the wheel where there is no demo", () => {
  expect(fillPage("{{director}} {{demo_href}}", nobody)).toBe(
    "[non renseigné par l&#39;exploitant] #roue-essai",
  );
  expect(fillPage("{{demo_href}}", { ...nobody, demoSlug: "demo" })).toBe("/c/demo/review");
});
