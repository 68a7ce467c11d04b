import type { ProposedTexts } from "./proposed-texts.ts";

/** Spanish of what is proposed to each trade. */
export const tradeWheelsCopy = {
  cafe: { prizes: ["Café gratis", "Bollería gratis", "Merienda gratis", "10 % la próxima vez"] },
  restaurant: {
    prizes: ["Café gratis", "Aperitivo gratis", "Postre gratis", "10 % la próxima vez"],
  },
  bakery: { prizes: ["Cruasán gratis", "Baguette gratis", "Pastel gratis", "10 % la próxima vez"] },
  hairdresser: {
    prizes: [
      "Tratamiento capilar gratis",
      "Producto en miniatura",
      "Peinado gratis",
      "10 % la próxima vez",
    ],
  },
  beauty: {
    prizes: [
      "Producto en miniatura",
      "Esmaltado gratis",
      "Tratamiento facial gratis",
      "10 % la próxima vez",
    ],
  },
  shop: {
    prizes: ["Pequeño regalo", "Bolsa de tela gratis", "Vale de 5 €", "10 % la próxima vez"],
  },
  hotel: {
    prizes: [
      "Bebida gratis",
      "Desayuno gratis",
      "Mejora de habitación gratis",
      "Salida tardía gratis",
    ],
  },
  garage: {
    prizes: [
      "Ambientador gratis",
      "Relleno de líquidos gratis",
      "Lavado gratis",
      "10 % en mano de obra",
    ],
  },
  gym: {
    prizes: [
      "Bebida proteica",
      "Toalla gratis",
      "Sesión de coaching gratis",
      "Sesión para un amigo",
    ],
  },
  other: { prizes: ["Pequeño regalo", "Vale de 5 €", "10 % la próxima vez"] },
  losing: ["Sin suerte", "La próxima vez"],
} as const satisfies ProposedTexts;
