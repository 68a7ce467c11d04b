import { describe, expect, it } from "vitest";
import { GIVEN_TEMPLATES } from "../panel/review-panel.copy.ts";
import { fillTemplate } from "./fill-template.ts";

/** Filled templates for one customer. */

const customer = {
  id: "7d8a3f6e-1c2b-4f5a-9e8d-0b1c2d3e4f50",
  name: "Anaïs Petit",
  first_name: "Anaïs",
  email: "anais@exemple.fr",
  phone: null,
  note: null,
  created_at: "2026-01-01T00:00:00Z",
  review_count: 1,
  rating_sum: 2,
  spin_count: 0,
  redemption_count: 0,
  reviews: [],
};
const fill = (body: string, firstName: string | null = "Anaïs", store = "Café du Port") =>
  fillTemplate(
    { name: "Essai", body },
    { customer: { ...customer, first_name: firstName }, store },
  );

describe("a template", () => {
  it("names the customer and the store wherever they stand, in any case", () => {
    expect(fill("Bonjour {prénom}, à bientôt chez {magasin} !\n{MAGASIN} et {Prénom}")).toBe(
      "Bonjour Anaïs, à bientôt chez Café du Port !\nCafé du Port et Anaïs",
    );
  });

  it.each([null, "", "   "])("leaves no gap where the first name is missing (%j)", (firstName) => {
    expect(fill("Bonjour {prénom},\n\nMerci {prénom} !", firstName)).toBe("Bonjour,\n\nMerci !");
  });

  it("leaves no gap for a customer who was erased", () => {
    const filled = fillTemplate(
      { name: "Essai", body: "Bonjour {prénom}," },
      { customer: null, store: "Café du Port" },
    );
    expect(filled).toBe("Bonjour,");
  });

  it("takes names as they are, whatever signs they hold", () => {
    expect(fill("{prénom} chez {magasin}", "$& {magasin}", "$1 {prénom}")).toBe(
      "$& {magasin} chez $1 {prénom}",
    );
    expect(fill("Accolades {autres} et {prenom}")).toBe("Accolades {autres} et {prenom}");
  });

  it("of those that are given, says everything", () => {
    for (const template of GIVEN_TEMPLATES) {
      for (const firstName of ["Anaïs", null]) {
        expect(fill(template.body, firstName)).not.toMatch(/[{}]| ,|undefined|null/);
      }
    }
  });
});
