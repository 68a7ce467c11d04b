import type { ProposedTexts } from "./proposed-texts.ts";

/** German of what is proposed to each trade. */
export const tradeWheelsCopy = {
  cafe: {
    prizes: [
      "Gratis-Kaffee",
      "Gratis-Gebäck",
      "Kaffee und Kuchen gratis",
      "10 % beim nächsten Mal",
    ],
  },
  restaurant: {
    prizes: ["Gratis-Kaffee", "Gratis-Aperitif", "Gratis-Dessert", "10 % beim nächsten Mal"],
  },
  bakery: {
    prizes: ["Gratis-Croissant", "Gratis-Baguette", "Gratis-Törtchen", "10 % beim nächsten Mal"],
  },
  hairdresser: {
    prizes: [
      "Gratis-Haarpflege",
      "Produkt in Reisegröße",
      "Gratis-Föhnen",
      "10 % beim nächsten Mal",
    ],
  },
  beauty: {
    prizes: [
      "Produkt in Reisegröße",
      "Nagellack gratis",
      "Gesichtspflege gratis",
      "10 % beim nächsten Mal",
    ],
  },
  shop: {
    prizes: [
      "Kleines Geschenk",
      "Stofftasche gratis",
      "Gutschein über 5 €",
      "10 % beim nächsten Mal",
    ],
  },
  hotel: {
    prizes: [
      "Gratis-Getränk",
      "Frühstück gratis",
      "Zimmer-Upgrade gratis",
      "Später Check-out gratis",
    ],
  },
  garage: {
    prizes: ["Autoduft gratis", "Nachfüllen gratis", "Autowäsche gratis", "10 % auf Arbeitszeit"],
  },
  gym: {
    prizes: ["Proteindrink", "Handtuch gratis", "Coaching gratis", "Training für einen Freund"],
  },
  other: { prizes: ["Kleines Geschenk", "Gutschein über 5 €", "10 % beim nächsten Mal"] },
  losing: ["Kein Glück", "Beim nächsten Mal"],
} as const satisfies ProposedTexts;
