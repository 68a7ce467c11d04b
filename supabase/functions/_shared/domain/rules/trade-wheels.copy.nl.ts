import type { ProposedTexts } from "./proposed-texts.ts";

/** Dutch of what is proposed to each trade. */
export const tradeWheelsCopy = {
  cafe: {
    prizes: ["Gratis koffie", "Gratis gebakje", "Gratis koffie met taart", "10% de volgende keer"],
  },
  restaurant: {
    prizes: ["Gratis koffie", "Gratis aperitief", "Gratis dessert", "10% de volgende keer"],
  },
  bakery: {
    prizes: ["Gratis croissant", "Gratis stokbrood", "Gratis taartje", "10% de volgende keer"],
  },
  hairdresser: {
    prizes: [
      "Gratis haarbehandeling",
      "Product in reisformaat",
      "Gratis föhnen",
      "10% de volgende keer",
    ],
  },
  beauty: {
    prizes: [
      "Product in reisformaat",
      "Gratis nagellak",
      "Gratis gezichtsbehandeling",
      "10% de volgende keer",
    ],
  },
  shop: {
    prizes: ["Klein cadeau", "Gratis katoenen tas", "Tegoedbon van € 5", "10% de volgende keer"],
  },
  hotel: {
    prizes: ["Gratis drankje", "Gratis ontbijt", "Gratis kamerupgrade", "Gratis late check-out"],
  },
  garage: {
    prizes: ["Gratis luchtverfrisser", "Gratis bijvullen", "Gratis wasbeurt", "10% op arbeidsloon"],
  },
  gym: {
    prizes: ["Eiwitdrankje", "Gratis handdoek", "Gratis coaching", "Training voor een vriend"],
  },
  other: { prizes: ["Klein cadeau", "Tegoedbon van € 5", "10% de volgende keer"] },
  losing: ["Helaas", "Volgende keer"],
} as const satisfies ProposedTexts;
