import { INVITATION_DAYS } from "#domain/rules/constants.ts";
import type { Role } from "#domain/rules/roles.ts";
import { formatCount } from "../../lib/format.ts";

/** The team: members, invitations, ownership (specification, sections 2.19 and 6). */
export const teamCopy = {
  title: "Équipe",
  settings: "Paramètres",
  text: "Qui travaille avec vous, et avec quel rôle.",
  back: "Paramètres",
  loadFailed: "Erreur lors du chargement de l'équipe",
  loadForbidden:
    "Vous n'avez pas, ou plus, accès à cette équipe. Si c'est une erreur, demandez à son propriétaire.",
  roles: {
    owner: "Propriétaire",
    admin: "Administrateur",
    member: "Équipe",
    cashier: "Caisse",
  } satisfies Record<Role, string>,
  roleTexts: {
    owner: "Peut tout faire, y compris supprimer l'organisation et nommer d'autres propriétaires.",
    admin: "Gère tout : équipe, abonnement, campagnes, récompenses, magasins et clients.",
    member: "Travaille sur les campagnes, les récompenses, les magasins, les codes et les clients.",
    cashier: "Valide les codes à la caisse, et rien d'autre.",
  } satisfies Record<Role, string>,
  ownRole: "Rôle personnalisé",
  you: "Vous",
  noName: "Sans nom",
  noEmail: "Sans adresse e-mail",
  joined: (date: string) => `Membre depuis le ${date}`,
  onlyStore: (store: string) => `Caisse : ${store}`,
  members: "Membres",
  invite: "Inviter un membre",
  manage: "Gérer l'équipe",
  see: "Ma place dans l'équipe",
  journal: "Journal d'activité",
  seats: (used: number, limit: string) =>
    `${formatCount(used, "place prise", "places prises")} sur ${limit} : membres et invitations en attente`,
  seatsUnlimited: (used: number) =>
    `${formatCount(used, "place prise", "places prises")}, sans limite : membres et invitations en attente`,
  full: {
    text: (limit: string) =>
      `Votre plan comprend ${limit} utilisateurs, invitations en attente incluses : toutes les places sont prises.`,
    hint: "Retirez un membre ou une invitation, ou passez à un plan qui en comprend davantage.",
    upgrade: "Voir les plans",
  },
  actions: {
    menu: (name: string) => `Actions pour ${name}`,
    role: "Changer le rôle",
    remove: "Retirer de l'équipe",
    resend: "Renvoyer",
    resendNamed: (email: string) => `Renvoyer l'invitation à ${email}`,
    withdraw: "Retirer",
    withdrawNamed: (email: string) => `Retirer l'invitation envoyée à ${email}`,
  },
  pending: {
    title: "Invitations en attente",
    until: (date: string) => `Valable jusqu'au ${date}`,
    expired: "Expirée",
    expiredText: `Le lien n'a pas été ouvert à temps. Renvoyez l'invitation pour ${INVITATION_DAYS} jours de plus.`,
    resent: (email: string) => `L'invitation est renvoyée à ${email}.`,
    withdrawTitle: "Retirer cette invitation ?",
    withdrawText: (email: string) =>
      `Le lien envoyé à ${email} ne fonctionnera plus, et la place se libère.`,
    withdraw: "Retirer l'invitation",
    withdrawn: "L'invitation est retirée.",
  },
  changeRole: {
    title: (name: string) => `Rôle : ${name}`,
    text: "Le changement prend effet tout de suite.",
    save: "Enregistrer",
    saved: (name: string) => `${name} : le rôle a changé.`,
  },
  remove: {
    title: (name: string) => `Retirer ${name} de l'équipe ?`,
    text: "Cette personne perd l'accès tout de suite, et les invitations qu'elle a envoyées sont retirées. Son compte et ce qu'elle a fait restent.",
    action: "Retirer de l'équipe",
    done: (name: string) => `${name} ne fait plus partie de l'équipe.`,
  },
  keys: {
    text: (count: string, name: string) =>
      `Clés d'API créées par ${name} et toujours valables : ${count}. Révoquez celles qui ne doivent plus servir.`,
    link: "Voir les clés d'API",
  },
  ownership: {
    title: "Transmettre l'organisation",
    text: "Un autre membre devient propriétaire, et vous devenez administrateur.",
    who: "Nouveau propriétaire",
    choose: "Choisissez un membre",
    action: "Transmettre",
    confirmTitle: (name: string) => `Transmettre l'organisation à ${name} ?`,
    confirmText: (name: string) =>
      `${name} pourra tout faire, y compris supprimer l'organisation. Vous ne pourrez pas revenir en arrière sans son accord.`,
    done: (name: string) => `${name} est maintenant propriétaire.`,
    nobody: "Invitez d'abord quelqu'un : il n'y a pas d'autre membre à qui transmettre.",
    ownersAlone: "Tous les autres membres sont déjà propriétaires.",
  },
  leave: {
    title: "Quitter l'organisation",
    text: "Vous perdez l'accès à ses données tout de suite. Vous gardez votre compte et pouvez rejoindre une autre organisation.",
    lastOwner:
      "Vous êtes le seul propriétaire : transmettez d'abord l'organisation à quelqu'un d'autre.",
    action: "Quitter",
    confirmTitle: (organization: string) => `Quitter ${organization} ?`,
    confirmText: "Pour revenir, il vous faudra une nouvelle invitation.",
  },
  form: {
    title: "Inviter un membre",
    text: `La personne reçoit un e-mail avec un lien, valable ${INVITATION_DAYS} jours et réservé à son adresse.`,
    email: "Adresse e-mail",
    role: "Rôle",
    store: "Caisse",
    storeHint: "Où cette personne valide les codes.",
    allStores: "Tous les magasins",
    noRole: {
      title: "Aucun rôle à donner",
      text: "Vous ne pouvez donner que les droits que vous avez. Demandez au propriétaire d'inviter cette personne.",
    },
    submit: "Envoyer l'invitation",
    cancel: "Retour à l'équipe",
    sent: (email: string) => `L'invitation est envoyée à ${email}.`,
    rules: {
      emailRequired: "L'email est requis",
      emailInvalid: "Format d'email invalide",
    },
  },
  /** Advice for each failure, by code. */
  failures: {
    TV002: "Toutes les places de votre plan sont prises.",
    TV096: "Cette personne fait déjà partie de votre équipe.",
    TV097:
      "Une invitation est déjà en attente pour cette adresse. Vous pouvez la renvoyer depuis la page Équipe.",
    TV098:
      "Cette invitation n'est plus en attente : elle a été acceptée ou retirée. Actualisez la page.",
    TV103: "Trop d'invitations ont été envoyées. Réessayez dans une heure, ou demain.",
    TV104:
      "Une organisation garde au moins un propriétaire : transmettez-la d'abord à quelqu'un d'autre.",
    TV114: "Les rôles personnalisés s'attribuent avec le plan Pro.",
    "23514": "Format d'email invalide",
    forbidden: "Vous n'avez pas le droit de faire ce changement. Actualisez la page.",
  } satisfies Record<string, string>,
} as const;
