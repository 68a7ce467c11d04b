import {
  BILLING_RETENTION_YEARS,
  CUSTOMER_RETENTION_YEARS,
  EXPORT_AFTER_END_DAYS,
  LOG_RETENTION_MONTHS,
  RIGHTS_ANSWER_DAYS,
} from "#domain/rules/retention.ts";
import { type LegalText, runner } from "./legal.copy.ts";

/** Rights that the GDPR gives, and how one uses them here. */
export const rgpdText: LegalText = {
  title: "RGPD\u00a0: vos données, vos droits",
  intro:
    "Qui répond de vos données, ce que vous pouvez demander, et comment l'obtenir, que vous soyez client d'un magasin ou commerçant.",
  sections: [
    {
      title: "Vous êtes client d'un magasin",
      paragraphs: [
        "Le magasin dont vous avez scanné le QR code est responsable de vos données\u00a0: il décide de ce qu'il en fait. Nous les gardons pour lui, sur ses instructions, comme sous-traitant (article\u00a028).",
        "Adressez-vous d'abord à lui\u00a0: il peut consulter, corriger, exporter et effacer votre fiche lui-même, en quelques gestes. S'il ne répond pas, écrivez-nous et nous l'aiderons à le faire.",
      ],
    },
    {
      title: "Vous êtes commerçant",
      paragraphs: [
        ["Pour votre compte, le responsable du traitement est ", ...runner, "."],
        "Dans vos paramètres, la page « Mes données » vous donne tout ce que nous gardons de votre compte, et permet de le supprimer vous-même.",
        "Pour les données de vos clients, c'est vous. Les conditions d'utilisation valent contrat de sous-traitance\u00a0: nous ne traitons ces données que pour rendre le service, chaque commerçant n'accède qu'aux siennes, et vous pouvez tout emporter ou tout effacer.",
      ],
      links: [
        { label: "Conditions d'utilisation, article\u00a09", href: "/legal/terms#section-9" },
      ],
    },
    {
      title: "Vos droits",
      paragraphs: [
        `La réponse vient dans les ${RIGHTS_ANSWER_DAYS}\u00a0jours, sans frais. Une pièce d'identité n'est demandée qu'en cas de doute sérieux. Vous pouvez\u00a0:`,
      ],
      list: [
        "savoir ce qui est gardé de vous, et en recevoir une copie\u00a0;",
        "corriger ce qui est faux\u00a0;",
        "faire effacer vos données\u00a0: vos participations restent dans les chiffres du magasin, sans nom ni contact, et vos codes restent valables\u00a0;",
        "emporter vos données dans un format que d'autres logiciels lisent\u00a0;",
        "faire limiter leur usage, ou vous y opposer\u00a0;",
        "retirer à tout moment l'accord donné pour recevoir des offres\u00a0: un lien au bas des e-mails sur vos gains et vos avis le fait aussitôt.",
      ],
    },
    {
      title: "Comment les exercer",
      paragraphs: ["Selon qui vous êtes\u00a0:"],
      list: [
        "client\u00a0: auprès du magasin, ou par notre formulaire, en nommant le magasin et l'adresse ou le numéro que vous lui avez donné\u00a0;",
        "membre d'une équipe\u00a0: nom, adresse et appareils se changent dans vos paramètres\u00a0;",
        "propriétaire\u00a0: l'export de toutes les données et la suppression de l'organisation sont dans les paramètres.",
      ],
      links: [
        { label: "Écrire au sujet de mes données", href: "/contact#data" },
        { label: "Ouvrir mes paramètres", href: "/settings" },
      ],
    },
    {
      title: "Combien de temps nous les gardons",
      paragraphs: ["Ensuite, elles partent d'elles-mêmes\u00a0:"],
      list: [
        `fiche d'un client\u00a0: ${CUSTOMER_RETENTION_YEARS}\u00a0ans après son dernier contact\u00a0;`,
        `journaux\u00a0: ${LOG_RETENTION_MONTHS}\u00a0mois au plus\u00a0;`,
        "e-mails en attente\u00a0: effacés dès qu'ils sont partis, ou 7\u00a0jours après avoir été abandonnés\u00a0;",
        `organisation qui part\u00a0: ${EXPORT_AFTER_END_DAYS}\u00a0jours pour changer d'avis et tout emporter, puis tout est effacé\u00a0;`,
        "sauvegardes\u00a0: ce qui a été effacé n'y reste que jusqu'à leur remplacement\u00a0;",
        `facturation\u00a0: ${BILLING_RETENTION_YEARS}\u00a0ans, comme la loi l'exige, sans nom une fois l'organisation effacée.`,
      ],
    },
    {
      title: "Une question, une réclamation",
      paragraphs: [
        {
          entry: "dpo_email",
          words: (email) => `Délégué à la protection des données\u00a0: ${email}.`,
        },
        "Vous pouvez aussi saisir la CNIL, 3\u00a0place de Fontenoy, TSA\u00a080715, 75334\u00a0Paris Cedex\u00a007, www.cnil.fr.",
      ],
      links: [
        { label: "Politique de confidentialité", href: "/legal/privacy" },
        { label: "Cookies et mémoire du navigateur", href: "/legal/cookies" },
      ],
    },
  ],
};
