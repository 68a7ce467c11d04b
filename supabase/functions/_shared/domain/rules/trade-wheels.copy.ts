/**
 * Prizes that a merchant of each trade may give away, as customers read them on the wheel. Every
 * text can be changed.
 */
export const tradeWheelsCopy = {
  cafe: {
    name: "Café",
    prizes: [
      "Café offert",
      "Viennoiserie offerte",
      "Formule goûter offerte",
      "10 % la prochaine fois",
    ],
  },
  restaurant: {
    name: "Restaurant",
    prizes: ["Café offert", "Apéritif offert", "Dessert offert", "10 % la prochaine fois"],
  },
  bakery: {
    name: "Boulangerie",
    prizes: [
      "Croissant offert",
      "Baguette offerte",
      "Pâtisserie offerte",
      "10 % la prochaine fois",
    ],
  },
  hairdresser: {
    name: "Coiffeur",
    prizes: ["Soin offert", "Produit miniature", "Brushing offert", "10 % la prochaine fois"],
  },
  beauty: {
    name: "Institut",
    prizes: [
      "Produit miniature",
      "Pose de vernis offerte",
      "Soin du visage offert",
      "10 % la prochaine fois",
    ],
  },
  shop: {
    name: "Boutique",
    prizes: ["Petit cadeau", "Sac en toile offert", "Bon d'achat de 5 €", "10 % la prochaine fois"],
  },
  hotel: {
    name: "Hôtel",
    prizes: [
      "Boisson offerte",
      "Petit-déjeuner offert",
      "Surclassement offert",
      "Départ tardif offert",
    ],
  },
  garage: {
    name: "Garage",
    prizes: [
      "Désodorisant offert",
      "Mise à niveau offerte",
      "Lavage offert",
      "10 % de main-d'œuvre",
    ],
  },
  gym: {
    name: "Salle de sport",
    prizes: ["Boisson protéinée", "Serviette offerte", "Coaching offert", "Séance pour un ami"],
  },
  other: {
    name: "Autre métier",
    prizes: ["Petit cadeau", "Bon d'achat de 5 €", "10 % la prochaine fois"],
  },
  /** Segments that win nothing, in turn. */
  losing: ["Pas de chance", "La prochaine fois"],
} as const;
