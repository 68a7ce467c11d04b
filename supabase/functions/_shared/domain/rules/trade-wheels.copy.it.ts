import type { ProposedTexts } from "./proposed-texts.ts";

/** Italian of what is proposed to each trade. */
export const tradeWheelsCopy = {
  cafe: {
    prizes: [
      "Caffè in omaggio",
      "Brioche in omaggio",
      "Merenda in omaggio",
      "10% la prossima volta",
    ],
  },
  restaurant: {
    prizes: [
      "Caffè in omaggio",
      "Aperitivo in omaggio",
      "Dolce in omaggio",
      "10% la prossima volta",
    ],
  },
  bakery: {
    prizes: [
      "Croissant in omaggio",
      "Baguette in omaggio",
      "Pasticcino in omaggio",
      "10% la prossima volta",
    ],
  },
  hairdresser: {
    prizes: [
      "Trattamento in omaggio",
      "Prodotto formato viaggio",
      "Piega in omaggio",
      "10% la prossima volta",
    ],
  },
  beauty: {
    prizes: [
      "Prodotto formato viaggio",
      "Smalto in omaggio",
      "Trattamento viso in omaggio",
      "10% la prossima volta",
    ],
  },
  shop: {
    prizes: ["Piccolo regalo", "Borsa di tela in omaggio", "Buono da 5 €", "10% la prossima volta"],
  },
  hotel: {
    prizes: [
      "Bevanda in omaggio",
      "Colazione in omaggio",
      "Camera superiore in omaggio",
      "Check-out tardivo in omaggio",
    ],
  },
  garage: {
    prizes: [
      "Profumatore in omaggio",
      "Rabbocco in omaggio",
      "Lavaggio in omaggio",
      "10% sulla manodopera",
    ],
  },
  gym: {
    prizes: [
      "Bevanda proteica",
      "Asciugamano in omaggio",
      "Coaching in omaggio",
      "Seduta per un amico",
    ],
  },
  other: { prizes: ["Piccolo regalo", "Buono da 5 €", "10% la prossima volta"] },
  losing: ["Niente da fare", "La prossima volta"],
} as const satisfies ProposedTexts;
