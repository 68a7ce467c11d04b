import { formatNumber } from "../../../lib/format.ts";

/** Editing and erasing a customer. */
export const customerFormCopy = {
  title: "Modifier le client",
  firstName: "Prénom",
  lastName: "Nom",
  email: "E-mail",
  phone: "Téléphone",
  note: "Note privée",
  noteHint: "Pour votre équipe seulement.",
  consent: "Marketing autorisé",
  consentHint: "Ne l'activez que si la personne vous l'a demandé : vous devez pouvoir le prouver.",
  withdrawHint: "Le désactiver efface la date et la phrase acceptée.",
  save: "Enregistrer",
  cancel: "Annuler",
  saved: "Modifications enregistrées.",
  contactRequired: "Indiquez un email ou un téléphone",
  noteTooLong: "Cette note est trop longue",
  emailTaken: (name: string) => `${name} utilise déjà cet e-mail.`,
  phoneTaken: (name: string) => `${name} utilise déjà ce numéro.`,
  seeOther: "Voir sa fiche",
  conflict:
    "Cette fiche vient d'être modifiée ailleurs. Rechargez-la pour ne rien écraser ; ce que vous avez saisi sera perdu.",
  reload: "Recharger la fiche",
  failed: "La fiche n'a pas été enregistrée. Réessayez.",
  forbidden: "Ce client n'existe plus, ou vous n'avez pas le droit de le modifier.",
  erase: {
    title: (name: string) => `Effacer ${name} ?`,
    text: "C'est définitif. Voici ce qui disparaît :",
    identity: "son nom, ses coordonnées, son consentement et votre note privée",
    reviews: (count: number) =>
      `le nom et le texte de ${count < 2 ? "son" : `ses ${formatNumber(count)}`} avis (les étoiles restent, sans nom)`,
    spins: (count: number) =>
      `son nom sur ${count < 2 ? "sa participation" : `ses ${formatNumber(count)} participations`}`,
    points: (points: number) => (points < 2 ? "son point" : `ses ${formatNumber(points)} points`),
    codes: (count: number) =>
      count < 2
        ? "Son code encore valable reste utilisable à la caisse, sans nom."
        : `Ses ${formatNumber(count)} codes encore valables restent utilisables à la caisse, sans nom.`,
    figures: "Vos statistiques ne changent pas.",
    action: "Effacer définitivement",
    failed: "Rien n'a été effacé. Réessayez.",
    forbidden: "Seuls le propriétaire et les administrateurs peuvent effacer un client.",
  },
} as const;
