/** French of the mails to customers, who may read another language; in the placeholders of `mails.copy.ts`. */
export const customerMailsCopy = {
  /** Separator between a label and its address or code. */
  colon: " :",
  frame: {
    greeting: "Bonjour{{ if .Data.full_name }} {{ .Data.full_name }}{{ end }},",
    visibleLink: "Le bouton ne répond pas ? Copiez cette adresse dans votre navigateur :",
    footer: "Tournavis, des avis et une roue pour vos clients",
    /** Under a merchant's mail to people who have no account with us. */
    sentFor: (name: string) => `Envoyé par Tournavis pour ${name}`,
    sender: (name: string) => `${name} via Tournavis`,
    /**
     * Operator of the service, where one is named (`OPERATOR_FILE`); the hosted platform leaves
     * these out.
     */
    operator: "{{ if .Operator }}Service exploité par {{ .Operator }}.{{ end }}",
    contact: "{{ if .Contact }}Pour nous écrire : {{ .Contact }}{{ end }}",
    automaticToAnybody: "Message automatique.",
    qr: "QR code à montrer à la caisse",
  },
  ticket: {
    code: "Votre code :",
    until: "{{ if .Data.until }}Valable jusqu'au {{ .Data.until }}{{ end }}",
    anywhere: "{{ if .Data.anywhere }}Valable dans tous les magasins{{ end }}",
    map: "Voir sur la carte",
  },
  toPrize: "Voir mon gain",
  toCode: "Voir mon code",
  rules: "Règlement du jeu",
  notAPlayer: "Vous n'avez pas joué ? Ignorez ce message.",
  /** Under every mail to a customer who agreed to marketing. */
  offers: {
    why: "Vous avez accepté de recevoir les offres de {{ .Data.organizer }}.",
    stop: "Ne plus les recevoir",
  },
  answered:
    "Vous avez laissé un avis chez {{ .Data.store }}. Pour lui écrire, répondez simplement à ce message.",
  prize: {
    subject: "Votre gain chez {{ .Data.store }}",
    preview:
      "Le code à montrer à la caisse{{ if .Data.until }}, jusqu'au {{ .Data.until }}{{ end }}.",
    title: "Votre gain vous attend",
    text: "{{ .Data.store }}\u00a0: montrez ce code à la caisse. Il ne sert qu'une fois.",
    why: "Ce message a été demandé depuis le téléphone qui a gagné. Votre adresse ne sert qu'à ce gain.",
  },
  reminder: {
    subject: "Votre gain chez {{ .Data.store }} vous attend jusqu'au {{ .Data.until }}",
    preview: "Le code à montrer à la caisse avant qu'il n'expire.",
    title: "Plus que quelques jours",
    text: "Votre gain chez {{ .Data.store }} vous attend encore. Montrez ce code à la caisse : il ne sert qu'une fois.",
    why: "C'est le seul rappel pour ce gain. Votre adresse a été donnée pour le retrouver ; elle ne sert ici à aucune publicité.",
  },
  held: {
    subject: "Votre gain chez {{ .Data.store }} est en cours de vérification",
    preview: "Rien n'est perdu : il n'y a rien à faire pour le moment.",
    title: "Encore un peu de patience",
    text: "{{ .Data.store }} vérifie votre gain{{ if .Data.prize }} « {{ .Data.prize }} »{{ end }} avant de le remettre. Rien n'est perdu : gardez votre code.",
    next: "Dès qu'il sera de nouveau valable, nous vous écrirons, et vous aurez autant de jours en plus pour en profiter.",
  },
  cancelled: {
    subject: "Votre gain chez {{ .Data.store }} a été annulé",
    preview: "Une erreur ? Parlez-en à l'équipe du magasin.",
    title: "Ce gain a été annulé",
    text: "Après vérification, {{ .Data.store }} a annulé le gain{{ if .Data.prize }} « {{ .Data.prize }} »{{ end }} : son code n'est plus valable.",
    next: "C'est une erreur ? Nous en sommes désolés. Montrez votre code à l'équipe du magasin : elle peut rétablir votre gain.",
  },
  released: {
    subject: "Votre gain chez {{ .Data.store }} est de nouveau valable",
    preview: "La vérification est terminée : votre code vous attend.",
    title: "Votre gain vous attend",
    text: "{{ .Data.store }} a terminé sa vérification : votre gain{{ if .Data.prize }} « {{ .Data.prize }} »{{ end }} est de nouveau valable. Merci de votre patience ! Montrez ce code à la caisse : il ne sert qu'une fois.",
  },
  answer: {
    subject: "{{ .Data.store }} vous répond",
    preview: "Une réponse à l'avis que vous avez laissé.",
    title: "{{ .Data.store }} vous répond",
    free: "Ce message n'attend rien en échange : vous n'avez pas à changer ou retirer un avis public.",
  },
  gesture: {
    subject: "{{ .Data.store }} vous répond, avec une attention",
    preview: "Une réponse à votre avis, et un code à montrer à la caisse.",
    title: "{{ .Data.store }} vous répond",
    text: "{{ .Data.store }} a pensé à vous : montrez ce code à la caisse. Il ne sert qu'une fois.",
    free: "Ce geste n'attend rien en échange : vous n'avez pas à changer ou retirer un avis public.",
  },
} as const;
