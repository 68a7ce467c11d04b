import { PRIVACY_DAYS } from "./kept-times.ts";
import type { LegalText } from "./legal.copy.ts";

/**
 * Data that a browser keeps for this service, as the code does
 * (`web/features/marketing/legal/kept-times.ts`).
 */
export const cookiesText: LegalText = {
  title: "Cookies et mémoire du navigateur",
  intro:
    "Aucun cookie de publicité ni de mesure d'audience. Voici tout ce que votre navigateur garde pour faire marcher ces pages, et combien de temps.",
  sections: [
    {
      title: "Cookies",
      paragraphs: [
        `Visiter ce site, scanner un QR code, donner un avis ou jouer n'en pose aucun. Si vous choisissez vous-même la langue des pages du jeu, un cookie retient ce choix, et rien d'autre, ${PRIVACY_DAYS.language}\u00a0jours. Un autre existe, pour les membres qui relient leur compte Google dans leurs paramètres\u00a0: il dure ${PRIVACY_DAYS.linkingMinutes}\u00a0minutes, ne dit rien de vous et empêche qu'un autre relie son compte au vôtre.`,
      ],
    },
    {
      title: "Sur le téléphone d'un client",
      paragraphs: ["Dans la mémoire du navigateur, sans quitter votre téléphone\u00a0:"],
      list: [
        `un numéro tiré au hasard pour ce téléphone, qui sert l'égalité du jeu\u00a0: ${PRIVACY_DAYS.device}\u00a0jours\u00a0; nos serveurs n'en reçoivent qu'une empreinte\u00a0;`,
        `la visite en cours et ce que vous y tapez\u00a0: ${PRIVACY_DAYS.journeyHours}\u00a0heures au plus\u00a0;`,
        `le jour de votre dernier tour, pour vous dire quand rejouer\u00a0: ${PRIVACY_DAYS.played}\u00a0jours au plus\u00a0;`,
        `vos gains, pour les retrouver sans réseau\u00a0: jusqu'à ${PRIVACY_DAYS.prizeAfterlife}\u00a0jours après leur fin, ou ${PRIVACY_DAYS.endlessPrize}\u00a0jours s'ils n'en ont pas\u00a0;`,
        `votre choix d'entendre le son de la roue\u00a0: un an.`,
      ],
    },
    {
      title: "Dans l'espace des commerçants",
      paragraphs: ["Sur l'appareil d'un membre\u00a0:"],
      list: [
        "la session ouverte, jusqu'à la déconnexion\u00a0;",
        "ce qui est tapé et pas encore enregistré, le code saisi à la caisse, les dernières fiches ouvertes\u00a0: jusqu'à la fermeture de l'onglet\u00a0;",
        "des réglages\u00a0: magasin de la caisse, raccourcis, brouillon de l'inscription\u00a0: jusqu'à ce que vous les changiez ou effaciez les données du site\u00a0;",
        "si vous recevez les messages de Tournavis sur cet appareil\u00a0: l'adresse que votre navigateur lui donne chez son éditeur, jusqu'à ce que vous les désactiviez\u00a0;",
        "les pages de la caisse, pour l'ouvrir sans réseau\u00a0: remplacées à chaque nouvelle version.",
      ],
    },
    {
      title: "Pourquoi il n'y a pas de bandeau",
      paragraphs: [
        "La loi demande un accord pour ce qui n'est pas nécessaire au service demandé (article\u00a082 de la loi Informatique et Libertés). Ici, tout l'est. Où l'inscription demande de prouver que l'on n'est pas un robot, cette preuve vient d'un prestataire, qui peut lire des informations de votre appareil pour cela seul.",
      ],
    },
    {
      title: "Tout effacer",
      paragraphs: [
        "Effacez les données de ce site dans les réglages de votre navigateur. Notez d'abord le code de vos gains\u00a0: ils n'y seront plus.",
      ],
      links: [{ label: "Politique de confidentialité", href: "/legal/privacy" }],
    },
  ],
};
