/** Messages on a merchant's own devices: the settings, and the one question. */
export const pushCopy = {
  title: "Sur vos appareils",
  text: "Un message s'affiche même quand Tournavis est fermé. Il ne nomme aucun client.",
  loadFailed: "Vos appareils ne se chargent pas. Réessayez.",
  turnOn: "Activer sur cet appareil",
  turnOff: "Désactiver sur cet appareil",
  isOn: "Cet appareil vous prévient.",
  blocked:
    "Ce navigateur bloque les messages de Tournavis. Autorisez-les dans ses réglages, puis rechargez la page.",
  toInstall:
    "Sur iPhone et iPad : touchez Partager, « Sur l'écran d'accueil », puis ouvrez Tournavis depuis son icône.",
  none: "Ce navigateur n'affiche pas de messages. Essayez depuis votre téléphone.",
  refused: "Votre navigateur a refusé. Vous pouvez l'autoriser dans ses réglages.",
  unavailable: "Ce navigateur n'arrive pas à s'inscrire aux messages. Réessayez plus tard.",
  limit: "Dix appareils vous préviennent déjà : retirez-en un.",
  what: "Pour quoi ?",
  lowRatings: "Un avis de 3 étoiles ou moins",
  lowStock: "Un stock qui s'épuise",
  lowStockHint: "Quand il n'en reste que 5, puis quand il n'en reste plus.",
  devices: "Vos appareils",
  added: (day: string) => `Ajouté le ${day}`,
  lastTold: (day: string) => `Dernier message le ${day}`,
  remove: "Retirer",
  removeOf: (device: string) => `Retirer ${device}`,
  question: {
    title: "Être prévenu sur cet appareil ?",
    text: "Un message s'affiche dès qu'un avis de 3 étoiles ou moins arrive, ou qu'un stock s'épuise.",
    no: "Non merci",
    done: "C'est fait. Vous réglez ces messages dans Paramètres, Notifications.",
  },
} as const;
