/** French of the proof that somebody is in the store, where a campaign asks for one. */
export const presenceCopy = {
  title: "Vous êtes sur place ?",
  submit: "Valider et lancer la roue",
  empty: "Remplissez ce champ pour lancer la roue.",
  kinds: {
    turning: {
      label: "Code affiché à la caisse",
      hint: "Recopiez les six chiffres affichés à la caisse. Ils changent toutes les 30 secondes. Aucun achat n'est demandé.",
    },
    word: {
      label: "Mot du jour",
      hint: "Recopiez le mot affiché au comptoir. Aucun achat n'est demandé.",
    },
    receipt: {
      label: "4 derniers chiffres de votre ticket",
      hint: "Sans ticket, l'équipe vous donne quatre chiffres sur simple demande.",
    },
  },
  scanned: "C'est noté : vous êtes sur place.",
  notScanned: "Ce code a changé. Scannez de nouveau l'écran de la caisse.",
  notSent: "Pas de connexion pour l'instant. Scannez de nouveau l'écran de la caisse.",
} as const;
