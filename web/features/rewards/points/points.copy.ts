import { formatCount } from "../../../lib/format.ts";

/** The catalogue of what points buy. */
export const pointsCopy = {
  title: "Cadeaux contre des points",
  intro:
    "Ce que vos clients peuvent prendre avec leurs points, dans tous vos magasins. Ils échangent sur leur téléphone, et montrent le code à la caisse.",
  back: "Récompenses",
  add: "Nouveau cadeau",
  loadFailed: "Erreur lors du chargement des données",
  cards: {
    points: "Points à honorer",
    pointsHint: "Gagnés, ni dépensés ni expirés",
    customers: "Clients qui en ont",
    codes: "Codes à remettre",
    codesHint: "Échangés, pas encore utilisés",
  },
  cost: (points: string) => `${points} points`,
  one: "1 point",
  unlimited: "Stock illimité",
  left: (count: string) => `${count} restant(s)`,
  spends: (count: number) => formatCount(count, "échangé", "échangés"),
  affordable: (count: number) =>
    `${formatCount(count, "échange possible", "échanges possibles")} avec les points en circulation`,
  active: "Proposé",
  inactive: "Retiré",
  toggle: (name: string) => `${name} est proposé`,
  toggleFailed: "Non enregistré : rien n'a changé.",
  menu: (name: string) => `Actions pour ${name}`,
  edit: "Modifier",
  remove: "Supprimer",
  removeTitle: (name: string) => `Supprimer « ${name} » ?`,
  removeText:
    "Il ne sera plus proposé. Les codes déjà échangés restent valables à la caisse jusqu'à leur date.",
  empty: {
    title: "Les points gagnés ne s'échangent encore contre rien",
    text: "Un café à 50 points, un dessert à 120 : dites ce qu'ils valent. Vos clients voient aussitôt ce qui leur manque, et reviennent.",
  },
  noSource: "Aucune récompense en service ne fait gagner de points.",
  toSource: "Créer une récompense « Points »",
  form: {
    new: "Nouveau cadeau",
    edit: "Modifier le cadeau",
    name: "Nom",
    nameHint: "Tel que vos clients le lisent.",
    cost: "Prix en points",
    costHint: "À comparer aux points que rapporte un gain de la roue.",
    stock: "Stock",
    stockHint: "Laissez vide pour un stock illimité.",
    save: "Enregistrer",
    cancel: "Annuler",
    reload: "Recharger",
    failed: "Le cadeau n'est pas enregistré",
    conflict:
      "Quelqu'un a modifié ce cadeau entre-temps. Rechargez-le pour voir sa version ; ce que vous avez saisi sera remplacé.",
    rules: {
      name: "Donnez-lui un nom.",
      nameTooLong: "120 caractères au plus.",
      cost: "Un nombre entier de 1 à 1 000 000.",
      stock: "Un nombre entier de 0 à 1 000 000, ou laissez vide.",
    },
  },
} as const;
