import { INVITATION_DAYS } from "../domain/rules/constants.ts";
import { EXPORT_AFTER_END_DAYS, PAYMENT_NOTICE_DAYS } from "../domain/rules/retention.ts";
import { customerMailsCopy } from "./customer-mails.copy.ts";
import { customerMails } from "./customer-mails.ts";
import { LETTER, type MailCopy, type MailFrame } from "./mail-copy.ts";
import type { MailTemplate } from "./mail-template.ts";

const CONFIRM = "{{ .ConfirmationURL }}";
const ONE_HOUR = "Ce lien est valable une heure et ne sert qu'une fois.";
const NOT_YOU = {
  label: "Choisir un nouveau mot de passe",
  url: "{{ .SiteURL }}/auth/forgot-password",
};
const TO_PASSKEYS = {
  label: "Voir mes clés d'accès",
  url: "{{ .SiteURL }}/settings/password",
};
const IF_YOU = "Si c'était vous, tout est en ordre : il n'y a rien à faire.";
const IF_NOT_YOU =
  "Ce n'était pas vous ? Choisissez tout de suite un nouveau mot de passe : les autres appareils seront déconnectés.";

/** Parts that mails about plans share. */
const TO_PLANS = { label: "Choisir un plan", url: "{{ .SiteURL }}/pricing" };
const TO_BILL = {
  label: "Régler la facture",
  url: "{{ .SiteURL }}/settings?section=subscription&pay=true",
};
const DUE = {
  label: "Montant à régler",
  amount: "{{ if .Data.amount }}{{ .Data.amount }} TTC{{ end }}",
};
const TO_BILLING =
  "Vous recevez ce message parce que vous gérez l'abonnement de cette organisation.";
const STILL_READABLE =
  "Choisissez un plan et tout rouvre comme avant. D'ici là, vos données restent lisibles et exportables.";
const READABLE_UNTIL = { label: "Données lisibles jusqu'au", day: "{{ .Data.day }}" };

/** The figures of a period. */
const SCANS = { label: "Scans", value: "{{ .Data.scans }}" };
const REVIEWS = {
  label: "Avis",
  value: "{{ .Data.reviews }}",
  detail: "{{ if .Data.average }}{{ .Data.average }}/5 en moyenne{{ end }}",
};
const FIGURES = [
  SCANS,
  REVIEWS,
  {
    label: "Participations",
    value: "{{ .Data.spins }}",
    detail: "{{ if .Data.wins }}gains : {{ .Data.wins }}{{ end }}",
  },
  { label: "Récompenses utilisées", value: "{{ .Data.redemptions }}" },
] as const;

/**
 * Words of the mails. `scripts/mail-templates.ts` makes the files of `supabase/templates` of them,
 * in the placeholders of the hosted platform, so that both send the same.
 */
export const mailsCopy: Readonly<Record<MailTemplate, MailCopy>> = {
  confirmation: {
    subject: "Confirmez votre adresse e-mail",
    preview: "Une dernière étape avant de créer votre première roue.",
    title: "Bienvenue sur Tournavis",
    paragraphs: [
      "Il ne reste qu'une étape : confirmez que l'adresse {{ .Email }} est bien la vôtre.",
    ],
    button: { label: "Confirmer mon adresse", url: CONFIRM },
    notes: [
      ONE_HOUR,
      "Vous n'avez pas créé de compte ? Ignorez ce message : il ne se passera rien.",
    ],
  },
  recovery: {
    subject: "Choisissez un nouveau mot de passe",
    preview: "Le lien pour réinitialiser votre mot de passe.",
    title: "Mot de passe oublié ?",
    paragraphs: [
      "Vous avez demandé à réinitialiser le mot de passe du compte {{ .Email }}. Choisissez-en un nouveau en suivant ce lien.",
    ],
    button: { label: "Choisir un nouveau mot de passe", url: CONFIRM },
    notes: [
      ONE_HOUR,
      "Vous n'avez rien demandé ? Ignorez ce message : votre mot de passe reste le même.",
    ],
  },
  magic_link: {
    subject: "Votre lien de connexion",
    preview: "Connectez-vous à Tournavis sans mot de passe.",
    title: "Connectez-vous à Tournavis",
    paragraphs: ["Ce lien ouvre votre compte {{ .Email }} sans mot de passe."],
    button: { label: "Me connecter", url: CONFIRM },
    code: { label: "Ou saisissez ce code :", alone: false },
    notes: [
      ONE_HOUR,
      "Vous n'avez rien demandé ? Ignorez ce message et ne transmettez le lien à personne.",
    ],
  },
  email_change: {
    subject: "Confirmez le changement d'adresse e-mail",
    preview: "Une nouvelle adresse a été demandée pour votre compte.",
    title: "Changer d'adresse e-mail",
    paragraphs: [
      "Une nouvelle adresse a été demandée pour votre compte Tournavis : {{ .NewEmail }} à la place de {{ .Email }}.",
      "Par sécurité, nous demandons confirmation à chacune des deux adresses. Le changement prend effet une fois les deux confirmées.",
    ],
    button: { label: "Confirmer le changement", url: CONFIRM },
    notes: [
      ONE_HOUR,
      "Vous n'avez rien demandé ? Ne suivez pas le lien et choisissez un nouveau mot de passe : quelqu'un connaît peut-être le vôtre.",
    ],
  },
  invitation: {
    subject: "Votre invitation sur Tournavis",
    preview: "Une équipe vous attend sur Tournavis.",
    title: "Une équipe vous attend",
    paragraphs: [
      "On vous invite à rejoindre une équipe sur Tournavis{{ if .Data.organization }} : {{ .Data.organization }}{{ end }}.{{ if .Data.inviter }} L'invitation a été envoyée par {{ .Data.inviter }}.{{ end }}",
      "Avec Tournavis, les commerces recueillent les avis de leurs clients et les remercient avec une roue.",
    ],
    from: "{{ .Data.organization }}",
    button: { label: "Voir l'invitation", url: CONFIRM },
    isForAnybody: true,
    notes: [
      `Ce lien est valable ${INVITATION_DAYS} jours et ne sert qu'une fois. Il est réservé à votre adresse : ne le transmettez pas.`,
      "Vous n'attendiez pas d'invitation ? Ignorez ce message.",
    ],
  },
  account_invitation: {
    subject: "Votre compte Tournavis vous attend",
    preview: "Un compte a été préparé pour vous.",
    title: "Votre compte vous attend",
    paragraphs: [
      "Un compte Tournavis a été préparé pour l'adresse {{ .Email }}. Suivez ce lien pour choisir votre mot de passe et l'ouvrir.",
    ],
    button: { label: "Ouvrir mon compte", url: CONFIRM },
    isForAnybody: true,
    notes: [
      ONE_HOUR,
      "Vous n'attendiez pas ce compte ? Ignorez ce message : il ne se passera rien.",
    ],
  },
  reauthentication: {
    subject: "{{ .Token }} est votre code de vérification",
    preview: "Le code pour confirmer que c'est bien vous.",
    title: "Confirmez que c'est bien vous",
    paragraphs: ["Saisissez ce code dans Tournavis pour continuer."],
    code: { label: "Votre code :", alone: true },
    notes: [
      "Ce code est valable une heure et ne sert qu'une fois.",
      "Ne le donnez à personne : l'équipe de Tournavis ne vous le demandera jamais.",
    ],
  },
  password_changed: {
    subject: "Votre mot de passe a changé",
    preview: "Le mot de passe de votre compte vient d'être remplacé.",
    title: "Votre mot de passe a changé",
    paragraphs: [
      "Le mot de passe du compte {{ .Email }} vient d'être remplacé.",
      IF_YOU,
      IF_NOT_YOU,
    ],
    button: NOT_YOU,
    notes: [],
  },
  email_changed: {
    subject: "Votre adresse e-mail a changé",
    preview: "L'adresse de votre compte vient d'être remplacée.",
    title: "Votre adresse e-mail a changé",
    paragraphs: [
      "L'adresse de votre compte Tournavis est désormais {{ .Email }}.",
      IF_YOU,
      "Ce n'était pas vous ? Répondez à ce message sans attendre.",
    ],
    notes: [],
  },
  phone_changed: {
    subject: "Votre numéro de téléphone a changé",
    preview: "Le numéro de votre compte vient d'être remplacé.",
    title: "Votre numéro de téléphone a changé",
    paragraphs: [
      "Le numéro de téléphone du compte {{ .Email }} vient d'être remplacé.",
      IF_YOU,
      IF_NOT_YOU,
    ],
    button: NOT_YOU,
    notes: [],
  },
  factor_added: {
    subject: "Double authentification : un facteur ajouté",
    preview: "Votre compte demande désormais une seconde preuve.",
    title: "Une protection de plus",
    paragraphs: [
      "Un facteur de double authentification vient d'être ajouté au compte {{ .Email }}. Il sera demandé à chaque connexion.",
      "Gardez vos codes de secours en lieu sûr : ils servent si vous perdez votre téléphone.",
      IF_NOT_YOU,
    ],
    button: NOT_YOU,
    notes: [],
  },
  factor_removed: {
    subject: "Double authentification : un facteur retiré",
    preview: "Un facteur de double authentification vient d'être retiré de votre compte.",
    title: "Une protection de moins",
    paragraphs: [
      "Un facteur de double authentification vient d'être retiré du compte {{ .Email }}.",
      IF_YOU,
      IF_NOT_YOU,
    ],
    button: NOT_YOU,
    notes: [],
  },
  passkey_added: {
    subject: "Une clé d'accès ajoutée à votre compte",
    preview: "Elle ouvre votre compte sans mot de passe.",
    title: "Une clé d'accès ajoutée",
    paragraphs: [
      "Une clé d'accès vient d'être ajoutée au compte {{ .Email }}. Elle ouvre le compte sans mot de passe, sur l'appareil qui la garde.",
      IF_YOU,
      "Ce n'était pas vous ? Retirez-la tout de suite, puis changez votre mot de passe.",
    ],
    button: TO_PASSKEYS,
    notes: [],
  },
  passkey_removed: {
    subject: "Une clé d'accès retirée de votre compte",
    preview: "Elle n'ouvre plus votre compte.",
    title: "Une clé d'accès retirée",
    paragraphs: [
      "Une clé d'accès vient d'être retirée du compte {{ .Email }} : elle ne l'ouvre plus.",
      IF_YOU,
      IF_NOT_YOU,
    ],
    button: NOT_YOU,
    notes: [],
  },
  account_deleted: {
    subject: "Votre compte est supprimé",
    preview: "Votre compte Tournavis n'existe plus.",
    title: "Votre compte est supprimé",
    paragraphs: [
      "Le compte {{ .Email }} vient d'être supprimé, comme demandé. Vous êtes déconnecté partout, et nous ne vous écrirons plus.",
      "Rien ne permet de le récupérer. Vous pouvez créer un nouveau compte quand vous voulez, avec la même adresse.",
      "Ce n'était pas vous ? Quelqu'un a pu se connecter à votre place : répondez à ce message sans attendre.",
    ],
    notes: [],
  },
  ...customerMails(customerMailsCopy),
  low_rating: {
    subject: "Un avis {{ .Data.rating }}/5 chez {{ .Data.store }}",
    preview: "Un client n'est pas satisfait : il est encore temps de lui répondre.",
    title: "Un client n'est pas satisfait",
    paragraphs: [
      "{{ .Data.store }} vient de recevoir un avis noté {{ .Data.rating }}/5.",
      // A reader who may not see customers is led to the campaign.
      "{{ if .Data.review }}Un mot rapide peut tout changer.{{ end }}{{ if .Data.customer }}Un mot rapide peut tout changer : ouvrez la fiche pour voir son message et comment le joindre.{{ end }}{{ if .Data.campaign }}Ouvrez la campagne pour voir ses derniers avis.{{ end }}",
    ],
    quote: {
      stars: "{{ .Data.stars }}",
      rating: "{{ .Data.rating }}/5",
      words: "{{ if .Data.words }}« {{ .Data.words }} »{{ end }}",
    },
    from: "{{ .Data.store }}",
    button: {
      label:
        "{{ if .Data.review }}Répondre{{ end }}{{ if .Data.customer }}Voir le client{{ end }}{{ if .Data.campaign }}Voir la campagne{{ end }}",
      url: "{{ .SiteURL }}{{ if .Data.review }}/reviews?answer={{ .Data.review }}{{ end }}{{ if .Data.customer }}/customers/{{ .Data.customer }}{{ end }}{{ if .Data.campaign }}/campaigns/{{ .Data.campaign }}{{ end }}",
    },
    notes: ["Les alertes pour les avis de 3 étoiles ou moins sont activées pour vous."],
    unsubscribe: { kind: "alert", label: "Ne plus recevoir ces alertes" },
  },
  contact_request: {
    subject: "{{ .Data.topic }} : {{ .Data.sender }}",
    preview: "Un message du formulaire de contact.",
    title: "Un message du formulaire de contact",
    paragraphs: [
      "De : {{ .Data.sender }}, {{ .Data.reply_to }}",
      "Sujet : {{ .Data.topic }}",
      LETTER,
    ],
    letter: { from: "{{ .Data.sender }} via Tournavis", replyTo: "{{ .Data.reply_to }}" },
    notes: [
      "Votre réponse à ce message part directement vers cette adresse, que personne n'a vérifiée.",
    ],
  },
  daily_summary: {
    subject: "Vos chiffres du {{ .Data.to }}",
    preview: "Avis, participations et gains de la veille.",
    title: "Votre journée en chiffres",
    paragraphs: ["Voici ce qui s'est passé hier, {{ .Data.to }}, chez {{ .Data.organization }}."],
    figures: FIGURES,
    from: "{{ .Data.organization }}",
    button: { label: "Ouvrir le tableau de bord", url: "{{ .SiteURL }}/dashboard" },
    notes: ["Le résumé quotidien est activé pour vous."],
    unsubscribe: { kind: "summary", label: "Ne plus recevoir ce résumé" },
  },
  weekly_summary: {
    subject: "Votre semaine du {{ .Data.from }} au {{ .Data.to }}",
    preview: "Avis, participations et gains de la semaine passée.",
    title: "Votre semaine en chiffres",
    paragraphs: [
      "Voici ce qui s'est passé du {{ .Data.from }} au {{ .Data.to }} chez {{ .Data.organization }}.",
    ],
    figures: FIGURES,
    from: "{{ .Data.organization }}",
    button: { label: "Ouvrir le tableau de bord", url: "{{ .SiteURL }}/dashboard" },
    notes: ["Le résumé hebdomadaire est activé pour vous."],
    unsubscribe: { kind: "summary", label: "Ne plus recevoir ce résumé" },
  },
  monthly_report: {
    subject: "Votre rapport du mois : {{ .Data.month }}",
    preview: "Les chiffres du mois, avec un PDF à transmettre.",
    title: "Votre mois en chiffres",
    paragraphs: [
      "{{ .Data.organization }} : voici votre mois, {{ .Data.month }}. Le PDF joint se transmet tel quel : il ne nomme aucun client.",
    ],
    figures: [
      SCANS,
      REVIEWS,
      { label: "Gains", value: "{{ .Data.wins }}" },
      { label: "Récompenses utilisées", value: "{{ .Data.redemptions }}" },
    ],
    from: "{{ .Data.organization }}",
    button: { label: "Ouvrir le tableau de bord", url: "{{ .SiteURL }}/dashboard" },
    notes: ["Le rapport mensuel est activé pour vous."],
    unsubscribe: { kind: "report", label: "Ne plus recevoir ce rapport" },
  },
  organization_end: {
    subject: "L'organisation {{ .Data.organization }} sera supprimée le {{ .Data.day }}",
    preview: "La suppression de votre organisation a été demandée.",
    title: "Votre organisation va être supprimée",
    paragraphs: [
      "La suppression de l'organisation {{ .Data.organization }} a été demandée. Ses pages publiques sont fermées dès maintenant.",
      `Dans ${EXPORT_AFTER_END_DAYS} jours, toutes ses données seront effacées pour toujours : magasins, campagnes, clients, avis et codes.`,
      "D'ici là, le propriétaire peut encore annuler la suppression et télécharger les données.",
    ],
    deadline: { label: "Suppression définitive le", day: "{{ .Data.day }}" },
    from: "{{ .Data.organization }}",
    isContract: true,
    button: { label: "Ouvrir les paramètres", url: "{{ .SiteURL }}/settings?section=data" },
    notes: ["Vous recevez ce message parce que vous administrez cette organisation."],
  },
  organization_kept: {
    subject: "L'organisation {{ .Data.organization }} reste ouverte",
    preview: "La suppression de votre organisation a été annulée.",
    title: "La suppression est annulée",
    paragraphs: [
      "La suppression de l'organisation {{ .Data.organization }} a été annulée. Rien n'a été effacé, et ses pages publiques sont de nouveau ouvertes.",
    ],
    from: "{{ .Data.organization }}",
    isContract: true,
    button: { label: "Ouvrir le tableau de bord", url: "{{ .SiteURL }}/dashboard" },
    notes: ["Vous recevez ce message parce que vous administrez cette organisation."],
  },
  organization_erased: {
    subject: "L'organisation {{ .Data.organization }} est supprimée",
    preview: "Toutes les données de cette organisation sont effacées.",
    title: "La suppression est faite",
    paragraphs: [
      `Les ${EXPORT_AFTER_END_DAYS} jours sont écoulés : l'organisation {{ .Data.organization }} et toutes ses données sont effacées. Personne ne peut les retrouver.`,
      "Vous gardez votre compte Tournavis. Vous pouvez rejoindre une équipe sur invitation, ou créer votre propre organisation.",
    ],
    from: "{{ .Data.organization }}",
    isContract: true,
    button: { label: "Ouvrir mon compte", url: "{{ .SiteURL }}/onboarding" },
    notes: ["Vous recevez ce message parce que vous faisiez partie de cette organisation."],
  },
  access_ended: {
    subject: "Votre accès à l'organisation {{ .Data.organization }} a pris fin",
    preview: "Vous ne faites plus partie de cette équipe.",
    title: "Votre accès a pris fin",
    paragraphs: [
      "{{ .Data.organization }} : une personne qui gère l'équipe vous en a retiré. Vous n'avez plus accès à cette organisation et ne recevrez plus ses messages.",
      "Vous gardez votre compte Tournavis. Vous pouvez rejoindre une équipe sur invitation, ou créer votre propre organisation.",
    ],
    from: "{{ .Data.organization }}",
    isContract: true,
    button: { label: "Ouvrir mon compte", url: "{{ .SiteURL }}/onboarding" },
    notes: [
      "Vous pensez à une erreur ? Adressez-vous à la personne qui gère l'équipe : elle peut vous inviter de nouveau.",
    ],
  },
  trial_ending: {
    subject: "Votre essai gratuit se termine le {{ .Data.day }}",
    preview: "Choisissez un plan pour que vos roues continuent de tourner.",
    title: "Votre essai se termine bientôt",
    paragraphs: [
      "{{ .Data.organization }} : l'essai gratuit touche à sa fin. Ensuite, vos pages publiques se ferment jusqu'à ce que vous choisissiez un plan.",
      "Rien n'est débité, et rien n'est perdu.",
    ],
    deadline: { label: "Fin de l'essai le", day: "{{ .Data.day }}" },
    from: "{{ .Data.organization }}",
    isContract: true,
    button: TO_PLANS,
    notes: [TO_BILLING],
  },
  trial_ended: {
    subject: "Votre essai gratuit est terminé",
    preview: "Vos roues sont à l'arrêt ; vos données vous attendent.",
    title: "Votre essai est terminé",
    paragraphs: [
      "{{ .Data.organization }} : l'essai gratuit est terminé, vos pages publiques sont fermées.",
      STILL_READABLE,
    ],
    deadline: READABLE_UNTIL,
    from: "{{ .Data.organization }}",
    isContract: true,
    button: TO_PLANS,
    notes: [TO_BILLING],
  },
  payment_failed: {
    subject: "Votre paiement n'a pas abouti : vous avez jusqu'au {{ .Data.day }}",
    preview: "Une facture{{ if .Data.amount }} de {{ .Data.amount }}{{ end }} reste à régler.",
    title: "Un paiement n'a pas abouti",
    paragraphs: [
      "{{ .Data.organization }} : le dernier paiement n'a pas abouti. Le plus souvent, la carte a expiré.",
      `Vous avez ${PAYMENT_NOTICE_DAYS} jours pour régler la facture ou changer de carte. D'ici là, rien ne change ; ensuite, vos pages publiques se ferment.`,
    ],
    due: DUE,
    deadline: { label: "À régler jusqu'au", day: "{{ .Data.day }}" },
    from: "{{ .Data.organization }}",
    isContract: true,
    button: TO_BILL,
    notes: [TO_BILLING],
  },
  plan_suspended: {
    subject: "Votre abonnement est suspendu",
    preview:
      "Vos roues sont à l'arrêt : une facture{{ if .Data.amount }} de {{ .Data.amount }}{{ end }} reste à régler.",
    title: "Votre abonnement est suspendu",
    paragraphs: [
      `{{ .Data.organization }} : la facture n'a pas été réglée dans les ${PAYMENT_NOTICE_DAYS} jours, vos pages publiques sont fermées.`,
      "Dès que la facture est réglée, tout rouvre comme avant. D'ici là, vos données restent lisibles et exportables.",
    ],
    due: DUE,
    deadline: READABLE_UNTIL,
    from: "{{ .Data.organization }}",
    isContract: true,
    button: TO_BILL,
    notes: [TO_BILLING],
  },
  plan_ended: {
    subject: "Votre abonnement est terminé",
    preview: "Vos roues sont à l'arrêt ; vos données vous attendent.",
    title: "Votre abonnement est terminé",
    paragraphs: [
      "{{ .Data.organization }} : l'abonnement est terminé. Vos pages publiques sont fermées, et plus rien n'est débité.",
      STILL_READABLE,
    ],
    deadline: READABLE_UNTIL,
    from: "{{ .Data.organization }}",
    isContract: true,
    button: TO_PLANS,
    notes: [TO_BILLING],
  },
};

/** Words that every mail carries. */
export const mailFrameCopy: MailFrame = {
  ...customerMailsCopy.frame,
  colon: customerMailsCopy.colon,
  automatic: "Message automatique lié à votre compte.",
  notifications: "Choisir mes notifications",
  byForm: "Envoyé par le formulaire de contact.",
};
