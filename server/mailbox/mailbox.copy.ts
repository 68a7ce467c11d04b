/** Words of the mailbox of the local mode. */
export const mailboxCopy = {
  title: "Boîte aux lettres locale",
  explanation:
    "Sans serveur d’envoi, les e-mails et les SMS s’arrêtent ici. Visible seulement depuis cette machine, jamais en production.",
  search: "Destinataire",
  searchAction: "Filtrer",
  refresh: "Actualiser",
  all: "Tous les messages",
  mail: "E-mail",
  sms: "SMS",
  to: "À",
  empty: "Aucun message pour le moment",
  emptyHint:
    "Créez un compte ou demandez un nouveau mot de passe\u00a0: le message apparaîtra ici.",
  noMatch: "Aucun message pour ce destinataire",
  back: "Retour à la liste",
  preview: "Aperçu du message",
  plainText: "Texte brut",
  unreadable: "Ce message ne peut pas être affiché.",
} as const;
