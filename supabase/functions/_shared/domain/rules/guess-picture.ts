import { slugify } from "../text/slugify.ts";
import type { PrizePicture } from "./prize-picture.ts";

/** Types of rewards. */
type Kind = "coupon" | "gift" | "points";

/** An amount or a share of the price, as people write it. */
const DISCOUNT = /\d\s?[%€]/;

/** Words of a prize's name, spelled as in an address; the first line that fits counts. */
const WORDS: readonly (readonly [PrizePicture, RegExp])[] = [
  ["discount", /\b(reduction|remise|bon-d-achat|cheque|avoir)\b/],
  ["coffee", /\b(cafe|expresso|cappuccino|the\b|infusion|chocolat-chaud|petit-dejeuner)/],
  [
    "dessert",
    /\b(dessert|gouter|patisserie|gateau|tarte|glace|crepe|gaufre|cookie|macaron|muffin)/,
  ],
  ["pastry", /\b(viennoiserie|croissant|pain|baguette|brioche|chausson)/],
  [
    "drink",
    /\b(boisson|verre|aperitif|cocktail|biere|vin|champagne|jus|soda|digestif|limonade)s?\b/,
  ],
  [
    "meal",
    /\b(repas|plat|menu|formule|entree|burger|pizza|salade|sandwich|dejeuner|diner|planche)s?\b/,
  ],
  ["hair", /\b(brushing|coupe|coiff|coloration|meche|barbe|cheveu)/],
  ["sport", /\b(coaching|seance|sport|fitness|abonnement)/],
  ["care", /\b(soin|vernis|massage|produit|creme|shampo|parfum|epilation|manucure)/],
  [
    "key",
    /\b(voiture|lavage|vidange|pneu|mise-a-niveau|desodorisant|surclassement|depart|chambre|nuit)/,
  ],
  ["star", /\bpoints?\b/],
];

/** Fallback picture of each type. */
const BY_TYPE: Readonly<Record<Kind, PrizePicture>> = {
  coupon: "discount",
  gift: "gift",
  points: "star",
};

/** The picture that a prize's name suggests, else that of its type. */
export function guessPicture(name: string, type: Kind): PrizePicture {
  if (DISCOUNT.test(name)) return "discount";
  const words = slugify(name);
  return WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? BY_TYPE[type];
}
