import type { ProposedTexts } from "./proposed-texts.ts";

/** English of what is proposed to each trade. */
export const tradeWheelsCopy = {
  cafe: { prizes: ["Free coffee", "Free pastry", "Free coffee and cake", "10% off next time"] },
  restaurant: { prizes: ["Free coffee", "Free aperitif", "Free dessert", "10% off next time"] },
  bakery: { prizes: ["Free croissant", "Free baguette", "Free cake", "10% off next time"] },
  hairdresser: {
    prizes: ["Free hair treatment", "Travel-size product", "Free blow-dry", "10% off next time"],
  },
  beauty: {
    prizes: ["Travel-size product", "Free nail polish", "Free facial", "10% off next time"],
  },
  shop: { prizes: ["Small gift", "Free tote bag", "€5 voucher", "10% off next time"] },
  hotel: { prizes: ["Free drink", "Free breakfast", "Free room upgrade", "Free late check-out"] },
  garage: {
    prizes: ["Free air freshener", "Free fluid top-up", "Free car wash", "10% off labour"],
  },
  gym: { prizes: ["Protein drink", "Free towel", "Free coaching session", "Session for a friend"] },
  other: { prizes: ["Small gift", "€5 voucher", "10% off next time"] },
  losing: ["No luck", "Next time"],
} as const satisfies ProposedTexts;
