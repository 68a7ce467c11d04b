import { INVITATION_DAYS } from "#domain/rules/constants.ts";

const FULL =
  "L'équipe n'a plus de place : son plan a changé. Prévenez la personne qui vous a invité.";

/** `/invitation`: what the link of the mail opens. */
export const invitationCopy = {
  pageTitle: "Invitation",
  loading: "Ouverture de l'invitation...",
  loadFailed: "L'invitation n'a pas pu être ouverte",
  home: "Retour à l'accueil",
  open: {
    title: (organization: string) => `Rejoignez ${organization}`,
    from: (inviter: string) => `${inviter} vous invite dans son équipe sur Tournavis.`,
    fromTeam: "Vous êtes invité dans une équipe sur Tournavis.",
    role: "Votre rôle",
    store: "Votre caisse",
    email: "Pour l'adresse",
    until: "Valable jusqu'au",
  },
  visitor: {
    text: "Utilisez cette adresse pour créer votre compte ou vous connecter : l'invitation n'est valable que pour elle.",
    signUp: "Créer mon compte",
    signIn: "J'ai déjà un compte",
  },
  member: {
    as: (email: string) => `Vous êtes connecté avec ${email}.`,
    accept: "Rejoindre l'équipe",
    leave: "Voir mon équipe actuelle",
  },
  stranger: {
    text: (mine: string, theirs: string) =>
      `Vous êtes connecté avec ${mine}, mais cette invitation est pour ${theirs}.`,
    noEmail: (theirs: string) =>
      `Votre compte n'a pas d'adresse e-mail, et cette invitation est pour ${theirs}.`,
    hint: "Déconnectez-vous, puis revenez avec la bonne adresse. Ou demandez une invitation pour cette adresse-ci.",
    signOut: "Me déconnecter et continuer",
    stay: "Garder mon compte",
  },
  closed: {
    unknown: {
      title: "Ce lien n'est pas valable",
      text: "Il est incomplet, ou un e-mail plus récent l'a remplacé. Ouvrez le dernier e-mail d'invitation reçu, ou demandez-en un nouveau.",
    },
    accepted: {
      title: "Invitation déjà acceptée",
      text: "Ce lien ne sert qu'une fois. Si c'était vous, connectez-vous pour retrouver votre équipe.",
    },
    withdrawn: {
      title: "Invitation retirée",
      text: "L'équipe a retiré cette invitation. Si c'est une erreur, demandez-lui de vous inviter à nouveau.",
    },
    expired: {
      title: "Invitation expirée",
      text: `Une invitation est valable ${INVITATION_DAYS} jours. Demandez à l'équipe de vous la renvoyer.`,
    },
  },
  waiting: {
    title: (organization: string) => `${organization} vous attend`,
    from: (inviter: string, role: string) => `${inviter} vous invite dans son équipe (${role}).`,
    fromTeam: (role: string) => `Vous êtes invité dans cette équipe (${role}).`,
    until: (day: string) =>
      `Valable jusqu'au ${day}. Un compte n'a qu'une organisation : rejoignez celle-ci au lieu d'en créer une.`,
    accept: "Rejoindre l'équipe",
    failed: "Nous n'avons pas pu vérifier si une invitation vous attend.",
    retry: "Vérifier",
  },
  signIn: "Me connecter",
  enter: "Ouvrir mon équipe",
  failures: {
    TV002: FULL,
    user_limit_reached: FULL,
    TV020:
      "Vous faites déjà partie d'une organisation, et un compte n'en a qu'une. Quittez-la d'abord (Paramètres, Équipe), ou demandez une invitation pour une autre adresse.",
    TV098: "Cette invitation a déjà servi ou a été remplacée. Demandez-en une nouvelle.",
    TV099: "L'équipe vient de retirer cette invitation.",
    TV100: "Cette invitation a expiré. Demandez à l'équipe de vous la renvoyer.",
    TV101: "Cette invitation est pour une autre adresse que celle de votre compte.",
    TV102:
      "Confirmez d'abord votre adresse e-mail avec le lien que vous avez reçu, puis revenez ici.",
    forbidden: "Connectez-vous avec l'adresse invitée, puis réessayez.",
    organization_ending:
      "Cette organisation va être supprimée : son équipe n'accueille plus personne. Voyez avec la personne qui vous a invité.",
    organization_suspended:
      "Cette organisation est suspendue : son équipe n'accueille personne pour l'instant. Voyez avec la personne qui vous a invité.",
    subscription_closed:
      "Le plan de cette équipe n'est plus actif. Prévenez la personne qui vous a invité.",
  } satisfies Record<string, string>,
} as const;
