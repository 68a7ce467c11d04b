import * as fc from "fast-check";
import { expect, it } from "vitest";
import { LANGUAGES } from "./languages.ts";
import { LETTER_TEXTS } from "./letter-texts.ts";
import { typeset } from "./typeset.ts";

it.each([
  ["Mot de passe oublié ?", "Mot de passe oublié\u202f?"],
  ["Bravo !", "Bravo\u202f!"],
  ["Vraiment ?!", "Vraiment\u202f?!"],
  ["Oui ; non", "Oui\u202f; non"],
  ["Total : 100 %.", "Total\u00a0: 100\u202f%."],
  ["Dès 49 € par mois", "Dès 49\u00a0€ par mois"],
  ["« Conforme », en clair", "«\u202fConforme\u202f», en clair"],
  ["« Conforme ».", "«\u202fConforme\u202f»."],
  ["C'est l'été, jusqu'à 5 h", "C’est l’été, jusqu’à 5 h"],
  ["100\u00a0% et 1\u00a0:\u00a02", "100\u202f% et 1\u00a0:\u00a02"],
  // Parts of a sentence around what is filled in.
  [" : ", "\u00a0: "],
  [" ?", "\u202f?"],
  [" ».", "\u202f»."],
  ["à l'", "à l’"],
  ["jusqu'« ici »", "jusqu’«\u202fici\u202f»"],
])("« %s » is set in French", (typed, set) => {
  expect(typeset(typed)).toBe(set);
});

it.each([
  "flex !mt-2",
  "main > :last-child",
  "a != b",
  "select now() ::date",
  "https://exemple.fr/?a=1",
  "plan = 'basic', note = 'x'",
  "100% (actuellement 90%)",
])("« %s » stays", (text) => {
  expect(typeset(text)).toBe(text);
});

it("the texts of the specification keep their apostrophes, alone and within others", () => {
  for (const text of LETTER_TEXTS) {
    expect(typeset(text)).toBe(text);
    expect(typeset(`L'un : ${text} d'un`)).toBe(`L’un\u00a0: ${text} d’un`);
  }
});

it("other languages have the apostrophe, and no space before a sign", () => {
  expect(typeset("It's yours : 10 % off", "en")).toBe("It’s yours : 10 % off");
  expect(typeset("Dov'è la cassa?", "it")).toBe("Dov’è la cassa?");
});

it("changes nothing more the second time", () => {
  const words = fc.string({
    unit: fc.constantFrom(
      "a",
      "É",
      "1",
      " ",
      "\u00a0",
      "\u202f",
      "'",
      "?",
      "!",
      ":",
      ";",
      "%",
      "€",
      "«",
      "»",
      "(",
      ".",
    ),
  });
  fc.assert(
    fc.property(words, fc.constantFrom(...LANGUAGES), (text, language) => {
      const once = typeset(text, language);
      expect(typeset(once, language)).toBe(once);
      // A text keeps its length: a sign takes the place of a sign.
      expect(once).toHaveLength(text.length);
    }),
  );
});
