function validity(days: number): string {
  return days > 1 ? `valable ${days} jours` : "valable un jour";
}

/** One review, read and dealt with. */
export const reviewPanelCopy = {
  label: "Avis choisi",
  back: "Tous les avis",
  loadFailed: "Erreur lors du chargement de l'avis",
  wentPublic: "A ensuite ouvert votre page d'avis publique.",
  silent: "Ce client n'a pas laissé de message.",
  hidden: "Message réservé à ceux qui ont accès aux clients.",
  erased: "Ce client a été effacé : son nom, ses coordonnées et son message n'existent plus.",
  answer: "Répondre",
  call: "Appeler",
  text: "SMS",
  close: "Clos",
  closeHint: "Clore cet avis",
  answeredElsewhere: "Répondu autrement",
  reopen: "Rouvrir",
  next: "Avis suivant",
  seen: "Marquer comme vu",
  isSeen: "Vu",
  undo: "Annuler",
  done: {
    closed: "Avis clos.",
    answered: "Marqué comme répondu.",
    reopened: "Avis rouvert.",
    sent: (name: string) => `Réponse envoyée à ${name}.`,
  },
  obstacles: {
    erased: "Impossible de lui répondre : ce client a été effacé.",
    no_address: "Ce client n'a pas laissé d'adresse e-mail.",
    no_sender:
      "Ajoutez une adresse e-mail à votre compte : la réponse du client doit pouvoir vous parvenir.",
  },
  bounced: "Votre dernière réponse n'est pas arrivée : vérifiez l'adresse de ce client.",
  conflict: {
    answered: (by: string) => `${by} vient de répondre à cet avis.`,
    closed: (by: string) => `${by} vient de clore cet avis.`,
    open: (by: string) => `${by} vient de rouvrir cet avis.`,
    somebody: "Quelqu'un",
    kept: "Votre texte est gardé. Envoyez-le seulement s'il ajoute quelque chose.",
  },
  writing: (name: string) => `${name} est en train de répondre.`,
  takeOver: "Prendre la main",
  tooMany: "200 réponses en une heure : reprenez un peu plus tard. Votre texte est gardé.",
  composer: {
    label: "Votre réponse",
    to: (address: string) => `À ${address}`,
    from: (store: string) => `De « ${store} via Tournavis »`,
    answers: (address: string) => `Sa réponse arrivera à ${address}.`,
    templates: "Partir d'un modèle",
    editTemplates: "Modifier les modèles",
    send: "Envoyer",
    cancel: "Fermer",
    required: "Écrivez quelques mots avant d'envoyer.",
    tooLong: "4 000 caractères au plus.",
    rule: "Ne demandez pas de modifier ou de retirer un avis public en échange d'un geste.",
    failed: "La réponse n'est pas partie. Votre texte est gardé, réessayez.",
    forbidden: "Votre rôle ne permet plus de répondre. Votre texte est gardé.",
  },
  gesture: {
    label: "Geste commercial (facultatif)",
    none: "Aucun geste",
    reward: "Récompense offerte",
    option: (name: string, stock: number) =>
      stock < 0 ? name : `${name} (${stock} ${stock > 1 ? "restants" : "restant"})`,
    byMail: (days: number) =>
      `Son code part avec votre réponse : un seul par avis, ${validity(days)}, pris sur le stock.`,
    byHand: (days: number) =>
      `Le code s'affiche ici, à transmettre par téléphone ou SMS : un seul par avis, ${validity(days)}, pris sur le stock.`,
    open: "Offrir un code",
    give: "Créer le code",
    cancel: "Fermer",
    required: "Choisissez une récompense.",
    done: "Code créé.",
    rule: "Un geste ne peut pas dépendre d'un avis public : ne demandez ni de le modifier, ni de le retirer.",
    title: "Geste commercial",
    of: (reward: string) => `Geste commercial : ${reward}`,
    until: (day: string) => `Valable jusqu'au ${day}`,
    used: (day: string) => `Utilisé le ${day}`,
    expired: (day: string) => `Expiré le ${day}`,
    hidden: "Code réservé à ceux qui ont accès aux codes.",
    copy: "Copier",
    copied: "Copié",
    text: "Envoyer par SMS",
    words: (store: string, reward: string, code: string, day: string) =>
      `${store} vous offre : ${reward}. Montrez le code ${code} à la caisse jusqu'au ${day}.`,
    refusals: {
      already_given: "Un code a déjà été offert pour cet avis. Rien n'est parti.",
      reward_gone:
        "Cette récompense n'est plus disponible. Choisissez-en une autre, ou continuez sans.",
      sold_out:
        "Le stock de cette récompense est épuisé. Choisissez-en une autre, ou continuez sans.",
    },
    failed: "Le code n'est pas créé. Réessayez.",
    forbidden: "Votre rôle ne permet pas d'offrir un code.",
  },
  assign: {
    label: "Suivi par",
    nobody: "Personne",
    me: (name: string) => `${name} (vous)`,
    gone: (name: string) => `${name} (ne suit plus les avis)`,
  },
  notes: {
    title: "Suivi",
    add: "Note interne",
    hint: "Visible par l'équipe seulement.",
    save: "Ajouter la note",
    failed: "La note n'est pas enregistrée. Elle reste ici, réessayez.",
    erased: "Ce client a été effacé : plus aucune note à son sujet.",
    empty: "Rien pour l'instant.",
  },
  actions: {
    note: "a ajouté une note",
    answer: "a répondu par e-mail",
    answered: "a répondu autrement",
    closed: "a clos l'avis",
    reopened: "a rouvert l'avis",
    gesture: "a offert un code",
    assigned: (name: string | null, by: string | null) => {
      if (name === null) return "a mis fin au suivi de l'avis";
      return name === by ? "suit l'avis" : `a confié l'avis à ${name}`;
    },
    somebody: "Quelqu'un",
    forgotten: "Texte effacé avec le client.",
    deliveries: { queued: "Envoi en cours", sent: "Envoyée", failed: "Non distribuée" },
  },
  customer: {
    title: "Ce client",
    since: (date: string) => `Client depuis le ${date}`,
    reviews: "Avis",
    mean: (mean: string) => `${mean}/5`,
    spins: "Participations",
    redemptions: "Codes utilisés",
    others: "Ses autres avis",
    page: "Voir sa fiche",
    note: "Note de la fiche",
  },
  templatesDialog: {
    title: "Vos modèles de réponse",
    text: "{prénom} et {magasin} sont remplacés dans chaque réponse.",
    name: (place: number) => `Nom du modèle ${place}`,
    body: (place: number) => `Texte du modèle ${place}`,
    save: "Enregistrer",
    reset: "Revenir aux modèles d'origine",
    problem: "Donnez un nom (60 caractères au plus) et un texte (2 000 au plus) à chaque modèle.",
  },
} as const;

/** The texts that answers begin with until an organisation words its own. */
export const GIVEN_TEMPLATES = [
  {
    name: "Présenter des excuses",
    body: "Bonjour {prénom},\n\nMerci d'avoir pris le temps de nous écrire. Nous sommes désolés que votre visite chez {magasin} n'ait pas été à la hauteur.\n\nDites-nous en réponse à ce message ce qui vous aurait fait plaisir : nous vous lirons avec attention.\n\nBien à vous,\n{magasin}",
  },
  {
    name: "Inviter à revenir",
    body: "Bonjour {prénom},\n\nVotre message nous a servi : nous en avons parlé en équipe et nous avons changé ce qui n'allait pas.\n\nDonnez-nous une seconde chance : passez nous voir et demandez à nous rencontrer.\n\nBien à vous,\n{magasin}",
  },
  {
    name: "Remercier",
    body: "Bonjour {prénom},\n\nMerci pour votre avis : il fait plaisir à toute l'équipe.\n\nÀ bientôt chez {magasin} !",
  },
] as const;
