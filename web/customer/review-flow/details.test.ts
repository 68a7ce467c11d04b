import { describe, expect, it } from "vitest";
import { checkDetails } from "./details.ts";
import type { FormDraft } from "./form-draft.ts";

function draft(change: Partial<FormDraft> = {}): FormDraft {
  return {
    first_name: "Zoé",
    last_name: "Lambert",
    contact: "email",
    email: "zoe@exemple.fr",
    phone: "",
    consent_marketing: false,
    ...change,
  };
}

describe("checkDetails (specification, section 5)", () => {
  it.each<{ change: Partial<FormDraft>; mistakes: object }>([
    { change: { first_name: "  " }, mistakes: { first_name: "Le prénom est requis" } },
    { change: { last_name: "" }, mistakes: { last_name: "Le nom est requis" } },
    { change: { email: " " }, mistakes: { email: "L'email est requis" } },
    { change: { email: "zoe@exemple" }, mistakes: { email: "Format d'email invalide" } },
    { change: { contact: "phone" }, mistakes: { phone: "Le téléphone est requis" } },
    {
      change: { contact: "phone", phone: "06 12 34 56" },
      mistakes: { phone: "Format de téléphone invalide" },
    },
    {
      change: { contact: "phone", phone: "0612345678 x" },
      mistakes: { phone: "Format de téléphone invalide" },
    },
    {
      change: { first_name: "", last_name: "", email: "" },
      mistakes: {
        first_name: "Le prénom est requis",
        last_name: "Le nom est requis",
        email: "L'email est requis",
      },
    },
  ])("says what is wrong: $mistakes", ({ change, mistakes }) => {
    expect(checkDetails(draft(change))).toEqual({ details: null, mistakes });
  });

  it("takes the chosen contact only, trimmed, and the consent as it stands", () => {
    expect(
      checkDetails(
        draft({ first_name: " Zoé ", phone: "n'importe quoi", consent_marketing: true }),
      ),
    ).toEqual({
      details: {
        first_name: "Zoé",
        last_name: "Lambert",
        email: "zoe@exemple.fr",
        consent_marketing: true,
      },
      mistakes: null,
    });
    expect(
      checkDetails(draft({ contact: "phone", email: "@", phone: "+33 6 12-34-56-78" })),
    ).toEqual({
      details: {
        first_name: "Zoé",
        last_name: "Lambert",
        phone: "+33 6 12-34-56-78",
        consent_marketing: false,
      },
      mistakes: null,
    });
  });
});
