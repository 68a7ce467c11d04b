import { expect, it } from "vitest";
import { joinsName, problemIn } from "./problems.ts";

it.each([
  ["A partir de demain", "a capital without its accent"],
  ["Fini. Etat du service", "a capital without its accent"],
  ["L'Ecran", "a capital without its accent"],
  ["Ca marche", "a capital without its accent"],
  ["Bravo! Vous gagnez", "a sign that touches its word"],
  ["Oublié?", "a sign that touches its word"],
  ["Total: 3", "a sign that touches its word"],
  ["«Café offert»", "a sign that touches its word"],
])("« %s » has %s", (text, problem) => {
  expect(problemIn(text, "fr")).toBe(problem);
});

it.each([
  "À partir de demain, l'État du service : bon !",
  "Mot de passe oublié ?",
  "A/B",
  "Et voilà « Café offert ».",
  "Entrez, Essayez, Ensemble",
  "14:05, https://exemple.fr/?a=1",
  "le stock ; la roue ?",
  // As the specification prints them.
  "Oops! Une erreur est survenue",
  "Erreur lors de la mise à jour: ",
])("« %s » is as it should be", (text) => {
  expect(problemIn(text, "fr")).toBeNull();
});

it.each([
  "la caisse de {store}",
  "l'offre de {organizer}",
  "adressez-vous à {organizer}.",
  "le rôle de {name}",
  "Retirer l'invitation de {email}",
])("« %s » may join an article to a name", (text) => expect(joinsName(text)).toBe(true));

it.each([
  "{store} : à la caisse",
  "chez {store}",
  "l'organisation {organization}",
  "de {amount}",
  "à {name}",
])("« %s » joins none", (text) => expect(joinsName(text)).toBe(false));

it("another language has no space before a sign", () => {
  expect(problemIn("Forgotten ?", "en")).toBe("a space before a sign");
  expect(problemIn("Forgotten?", "en")).toBeNull();
});
