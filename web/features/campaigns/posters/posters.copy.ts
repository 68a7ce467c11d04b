/** Dialog that makes a campaign's posters; what is printed on them is in `paper.copy.ts`. */
export const postersCopy = {
  action: "Affiches à imprimer",
  dialog: {
    title: (name: string) => `Affiches de ${name}`,
    text: "Un PDF prêt à imprimer, net à toutes les tailles. Imprimez-le sans mise à l'échelle.",
    format: "Format",
    formats: {
      window: { label: "Vitrine A3", hint: "Se lit de la rue", file: "vitrine-a3" },
      poster: { label: "Affiche A4", hint: "Vitrine, mur", file: "affiche-a4" },
      flyer: { label: "Affichette A5", hint: "Comptoir, porte", file: "affichette-a5" },
      tent: {
        label: "Chevalet A5",
        hint: "À plier en deux, lisible des deux côtés",
        file: "chevalet-a5",
      },
      sticker: { label: "Autocollant A6", hint: "Comptoir, table", file: "autocollant-a6" },
      stickers: {
        label: "4 autocollants sur A4",
        hint: "À découper selon les pointillés",
        file: "autocollants-a4",
      },
      bill: {
        label: "8 cartes pour l'addition",
        hint: "A7, sur une feuille A4 à découper",
        file: "cartes-addition-a4",
      },
      strip80: { label: "Ticket de caisse 80 mm", hint: "En noir", file: "ticket-80mm" },
      strip58: { label: "Ticket de caisse 58 mm", hint: "En noir", file: "ticket-58mm" },
    },
    style: "Style",
    styles: { bright: "Vif", plain: "Sobre", season: "Saison" },
    season: "Saison",
    seasons: { spring: "Printemps", summer: "Été", autumn: "Automne", winter: "Hiver" },
    language: "Langue",
    languageHint:
      "Celle des textes imprimés, et des lots que vous avez traduits dans leur fiche ; la page de jeu suit la langue du téléphone.",
    showsPrizes: "Montrer les lots",
    showsPrizesHint: "Leurs noms sur la roue, et les trois plus beaux à côté du code.",
    cropMarks: "Traits de coupe",
    cropMarksHint: "Pour un imprimeur : 3 mm de fond perdu.",
    colors:
      "Couleurs en RVB (sRGB) : votre imprimeur les convertit en CMJN. Textes et code sont vectoriels.",
    verify: "Vérifier une affiche imprimée",
    preview: (format: string) => `Aperçu : ${format}`,
    preparing: "Préparation des affiches…",
    download: "Télécharger le PDF",
    printing: "Création du PDF…",
    failed: "Les affiches n'ont pas pu être préparées. Vérifiez le réseau, puis réessayez.",
    gone: "Cette campagne n'est plus en service : elle n'a pas d'affiches.",
    printFailed: "Le PDF n'a pas pu être créé. Réessayez.",
    unprintable: (letters: string) =>
      `Ces caractères du nom du magasin ne peuvent pas être imprimés : ${letters}`,
    retry: "Réessayer",
    close: "Fermer",
  },
} as const;
