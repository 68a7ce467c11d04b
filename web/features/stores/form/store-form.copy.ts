/** The forms of a store: new, its identity, its settings (specification, sections 5 and 8). */
export const storeFormCopy = {
  newTitle: "Nouveau magasin",
  editTitle: "Modifier le magasin",
  settingsTitle: (name: string) => `Paramètres : ${name}`,
  name: "Nom du magasin",
  slug: "Identifiant",
  slugHint:
    "Un nom court, unique dans votre organisation. Il suit le nom tant que vous n'y touchez pas.",
  address: "Adresse",
  url: "Lien vers votre page d'avis (facultatif)",
  urlHint: "L'adresse que votre fiche d'établissement propose pour demander des avis.",
  urlPlaceholder: "https://",
  placeId: "Identifiant Google du lieu (facultatif)",
  placeIdHint:
    "Il commence souvent par ChIJ. Avec lui, la page du magasin montre la note de sa fiche Google.",
  placeIdPlaceholder: "ChIJ…",
  placeIdFinder: "Trouver l'identifiant de mon magasin chez Google",
  timezone: "Fuseau horaire",
  timezoneHint:
    "Les jours de vos statistiques et les limites de participation le suivent. Les chiffres passés ne changent pas.",
  timezoneNear: "En français",
  timezoneAll: "Tous les fuseaux",
  create: "Créer le magasin",
  save: "Enregistrer",
  cancel: "Annuler",
  rules: {
    name: "Indiquez le nom du magasin.",
    slug: "Choisissez un identifiant.",
    address: "Indiquez l'adresse du magasin.",
    placeId:
      "Collez l'identifiant seul, sans adresse ni espace : des lettres, des chiffres, - et _.",
    tooLong: "Ce texte est trop long : raccourcissez-le.",
  },
  failures: {
    taken: "Ce nom de magasin est déjà pris dans votre organisation.",
    other: (reason: string) => `Erreur création magasin: ${reason}`,
    fallback: "Erreur lors de la création du magasin",
    update: (reason: string) => `Erreur lors de la mise à jour: ${reason}`,
    organization: (reason: string) => `Organisation non trouvée. Erreur: ${reason}`,
    noOrganization: "Aucune organisation trouvée pour cet utilisateur",
    limit: "votre plan comprend un seul magasin. Changez de plan pour en ajouter.",
    forbidden: "vous n'avez pas ce droit.",
    link: "confirmez l'adresse de votre page d'avis, ou collez celle d'une plateforme d'avis.",
    timezone: "ce fuseau horaire n'est pas connu.",
    network: "pas de connexion. Vérifiez le réseau, puis réessayez.",
    unknown: "réessayez dans un instant.",
    conflict:
      "Ce magasin vient d'être modifié ailleurs. Rechargez-le pour ne rien écraser ; ce que vous avez saisi sera perdu.",
    reload: "Recharger le magasin",
  },
} as const;
