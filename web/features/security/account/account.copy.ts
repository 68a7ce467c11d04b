import { formatCount } from "../../../lib/format.ts";

/** One's own data and the end of one's account (specification, section 2.19). */
export const accountCopy = {
  title: "Mes données",
  text: "Ce que Tournavis garde sur vous, et la suppression de votre compte.",
  copy: {
    title: "Télécharger mes données",
    text: "Tout ce que nous gardons de votre compte, dans un fichier JSON : profil, connexions, appareils, messages, et ce que vous avez fait dans votre équipe.",
    action: "Télécharger",
    hint: "Sans vos mots de passe ni vos codes, qui ne sont lisibles par personne, et sans les données de vos collègues et de vos clients.",
    done: "Vos données sont téléchargées. Gardez ce fichier pour vous.",
    file: (day: string) => `tournavis-mes-donnees-${day}.json`,
  },
  end: {
    title: "Supprimer mon compte",
    text: "Tout de suite et définitivement. Un e-mail vous le confirmera.",
    loadFailed: "Ce qui serait supprimé n'a pas pu être chargé",
    goesTitle: "Ce qui disparaît",
    goes: {
      profile:
        "Votre nom, votre adresse, votre numéro, et toutes vos façons de vous connecter : elles ne fonctionneront plus.",
      sessions: (count: number) =>
        count > 1
          ? `Votre connexion sur ${formatCount(count, "appareil", "appareils")}, et leurs notifications.`
          : "Votre connexion sur cet appareil, et ses notifications.",
      membership: (name: string) =>
        `Votre accès à l'organisation ${name}, vos préférences et les invitations que vous avez envoyées.`,
    },
    staysTitle: "Ce qui reste",
    stays: {
      nothing: "Rien : votre compte n'est dans aucune organisation.",
      organization: (name: string) =>
        `${name}, avec ses magasins, ses campagnes, ses avis et ses clients : ils lui appartiennent.`,
      keys: (count: number) =>
        count === 1
          ? "La clé d'API que vous avez créée : elle appartient à l'organisation, qui peut la révoquer."
          : `Les ${count} clés d'API que vous avez créées : elles appartiennent à l'organisation, qui peut les révoquer.`,
      trail:
        "Votre nom dans le journal d'activité de l'équipe, à côté de ce que vous y avez fait, pendant 13 mois au plus. Votre départ y est noté sans votre nom.",
      ending: (name: string, day: string) =>
        `${name} jusqu'au ${day}, jour de sa suppression : sans vous, plus personne ne pourra l'annuler.`,
      backups: "Nos sauvegardes, jusqu'à leur remplacement.",
    },
    action: "Supprimer mon compte",
    owner: {
      title: (name: string) => `Vous êtes le seul propriétaire de l'organisation ${name}.`,
      text: "Sans vous, elle n'aurait plus de propriétaire. Avant de supprimer votre compte, choisissez :",
      transfer: "Transmettre la propriété à un collègue",
      invite: "Inviter un collègue, puis lui transmettre la propriété",
      end: "Supprimer l'organisation",
      payments:
        "Son abonnement est encore facturé. Pour supprimer l'organisation, vous le résilierez d'abord dans le portail de facturation.",
      charged: (name: string) =>
        `L'organisation ${name} va être supprimée, mais son abonnement est encore facturé : vous seul pouvez le résilier. Faites-le, puis revenez ici.`,
      portal: "Résilier l'abonnement",
    },
    ask: {
      title: "Supprimer votre compte ?",
      text: (email: string) =>
        email
          ? `Le compte ${email} sera supprimé tout de suite. Rien ne permet de le récupérer. Confirmez que c'est vous.`
          : "Votre compte sera supprimé tout de suite. Rien ne permet de le récupérer. Confirmez que c'est vous.",
      action: "Supprimer définitivement",
    },
    problems: {
      proof_needed:
        "Votre confirmation a plus de dix minutes. Confirmez de nouveau que c'est vous.",
      proof_too_new:
        "Cette façon de vous connecter a été ajoutée ou changée il y a moins d'un jour : seule, elle ne suffit pas encore. Confirmez d'une autre façon, ou réessayez demain.",
      last_owner:
        "Entre-temps, vous êtes devenu le seul propriétaire de l'organisation. Fermez cette fenêtre : la page dit quoi faire.",
      network:
        "La réponse n'est pas arrivée. Vérifiez le réseau, puis réessayez : si votre compte est déjà supprimé, un e-mail vous le dit.",
    },
  },
} as const;
