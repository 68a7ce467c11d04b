import { TRIAL_DAYS } from "#domain/rules/constants.ts";
import {
  BILLING_RETENTION_YEARS,
  CUSTOMER_RETENTION_YEARS,
  EXPORT_AFTER_END_DAYS,
  LOG_RETENTION_MONTHS,
  PAYMENT_NOTICE_DAYS,
  RIGHTS_ANSWER_DAYS,
} from "#domain/rules/retention.ts";
import type { Operator } from "#domain/schemas/operator.ts";

/** Words that depend on whether the operator has filled an entry in; nothing stands in for them but `otherwise`. */
export type OperatorWords = {
  entry: Exclude<keyof Operator, "demo_url">;
  words: (value: string) => string;
  otherwise?: string;
};

/** One paragraph; of a single entry it is left out whole where that is not filled in. */
export type LegalParagraph = string | OperatorWords | readonly (string | OperatorWords)[];

/** A section of a legal page: paragraphs, and a list after them where there is one. */
export type LegalSection = {
  title: string;
  paragraphs: readonly LegalParagraph[];
  list?: readonly string[];
  /** Where the reader goes from there. */
  links?: readonly { label: string; href: string }[];
};

/** A legal page in full. */
export type LegalText = { title: string; intro: string; sections: readonly LegalSection[] };

export const legalCopy = {
  updated: "Version du 27\u00a0novembre\u00a02026",
  contents: "Sommaire",
} as const;

const OPERATOR = "l'exploitant de ce site";

/** Operator of the service, after a verb, with their address. */
export const runner: readonly OperatorWords[] = [
  { entry: "company", words: (company) => company, otherwise: OPERATOR },
  { entry: "address", words: (address) => `, ${address}` },
];

/** The terms of use, in twelve sections (specification, section 2.7). */
export const termsText: LegalText = {
  title: "Conditions générales d'utilisation",
  intro:
    "Ces conditions lient le commerçant qui ouvre un compte et l'exploitant du service. Elles se lisent en dix minutes, et s'appliquent dès la création du compte.",
  sections: [
    {
      title: "1. Qui nous sommes",
      paragraphs: [
        [
          "Tournavis est exploité par ",
          ...runner,
          { entry: "registration", words: (number) => `, immatriculée sous le numéro ${number}` },
          ".",
        ],
        { entry: "director", words: (name) => `Directeur de la publication\u00a0: ${name}.` },
        { entry: "host", words: (host) => `Hébergeur\u00a0: ${host}.` },
        { entry: "contact_email", words: (email) => `Pour nous écrire\u00a0: ${email}.` },
      ],
    },
    {
      title: "2. Ce que fait le service",
      paragraphs: [
        "Tournavis permet à un commerçant d'inviter ses clients à donner leur avis au moyen d'un QR code, puis à tourner une roue qui peut leur faire gagner un lot, remis en magasin contre un code.",
        "Le commerçant règle ses magasins, ses campagnes, ses récompenses et leurs probabilités, suit ses chiffres et gère ses clients.",
      ],
    },
    {
      title: "3. Compte et accès",
      paragraphs: [
        "Le compte est réservé aux professionnels. Les informations données à l'inscription doivent être exactes et tenues à jour.",
        "Chacun garde ses identifiants pour soi et peut protéger son compte par une double authentification. Ce qui est fait depuis un compte est réputé fait par son titulaire, sauf preuve d'une intrusion que nous aurions dû empêcher.",
      ],
    },
    {
      title: "4. Essai gratuit et abonnements",
      paragraphs: [
        `L'essai gratuit dure ${TRIAL_DAYS}\u00a0jours, sans carte bancaire. À son terme, les pages publiques se ferment et le compte reste lisible, à moins qu'un abonnement ne soit souscrit.`,
        "Les abonnements Basic et Pro sont mensuels ou annuels et se renouvellent par tacite reconduction, jusqu'à résiliation depuis les paramètres du compte. La résiliation prend effet à la fin de la période payée.",
      ],
    },
    {
      title: "5. Prix et paiement",
      paragraphs: [
        "Les prix affichés sont hors taxes\u00a0; la TVA de 20\u00a0% s'ajoute au moment du paiement. Un changement de plan en cours de période est calculé au prorata.",
        `En cas de défaut de paiement, le commerçant est prévenu ${PAYMENT_NOTICE_DAYS}\u00a0jours avant la suspension du service. Toute somme en retard porte intérêt à trois fois le taux légal, et l'indemnité forfaitaire de recouvrement de 40\u00a0€ est due.`,
      ],
    },
    {
      title: "6. Le jeu et les lots",
      paragraphs: [
        "Le commerçant est l'organisateur du jeu\u00a0: il choisit les lots, leurs probabilités et leur nombre, et il les remet. Il s'engage à honorer chaque code valable.",
        "La participation est gratuite et sans obligation d'achat ni d'avis. Le tirage est fait par le serveur, au hasard, et ne tient aucun compte de la note donnée.",
      ],
    },
    {
      title: "7. Les avis",
      paragraphs: [
        "Le commerçant ne demande que des avis sincères. Il ne lie aucun lot à une note, n'écrit pas d'avis à la place de ses clients et n'en achète pas.",
        "Le mode conforme propose la page d'avis publique à tous. Le mode filtré, que le commerçant choisit en connaissance de cause, peut contrevenir aux règles de la plateforme d'avis, qui peut retirer des avis\u00a0; il en répond seul.",
      ],
    },
    {
      title: "8. Usages interdits",
      paragraphs: ["Il est interdit\u00a0:"],
      list: [
        "de faire gagner des produits dont la vente ou la publicité est interdite ou réglementée, comme l'alcool aux mineurs ou le tabac\u00a0;",
        "de détourner les coordonnées des clients de l'usage auquel ils ont consenti\u00a0;",
        "de tenter d'accéder aux données d'un autre commerçant, de perturber le service ou de contourner ses limites.",
      ],
    },
    {
      title: "9. Données personnelles",
      paragraphs: [
        "Pour les données de ses clients, le commerçant est responsable du traitement et nous sommes son sous-traitant, au sens de l'article\u00a028 du RGPD. Nous ne les traitons que pour rendre le service, sur ses instructions, et nous les protégeons comme le décrit notre politique de confidentialité.",
        `À la fin du contrat, le commerçant peut exporter toutes ses données pendant ${EXPORT_AFTER_END_DAYS}\u00a0jours\u00a0; elles sont ensuite effacées.`,
      ],
    },
    {
      title: "10. Disponibilité et responsabilité",
      paragraphs: [
        "Nous visons une disponibilité de 99,9\u00a0% et prévenons des interruptions prévues. Il s'agit d'une obligation de moyens.",
        "Notre responsabilité est limitée aux dommages directs et au montant payé par le commerçant au cours des douze derniers mois, sauf faute lourde ou dolosive, et sauf ce que la loi ne permet pas de limiter.",
      ],
    },
    {
      title: "11. Durée, suspension et fin",
      paragraphs: [
        `Le contrat dure tant que le compte existe. Le propriétaire peut supprimer son organisation à tout moment\u00a0; il a ${EXPORT_AFTER_END_DAYS}\u00a0jours pour changer d'avis.`,
        "Nous pouvons suspendre un compte qui enfreint ces conditions, après l'avoir mis en demeure, ou sans délai si la sécurité du service ou des clients l'exige.",
      ],
    },
    {
      title: "12. Droit applicable",
      paragraphs: [
        "Ces conditions sont soumises au droit français. À défaut d'accord amiable, les tribunaux de Paris sont seuls compétents.",
        "Nous pouvons les modifier\u00a0; le commerçant en est averti un mois avant et peut résilier sans frais s'il les refuse.",
      ],
    },
  ],
};

/** The privacy policy: who keeps what, why, how long, and what one may ask for (specification, section 2.7). */
export const privacyText: LegalText = {
  title: "Politique de confidentialité",
  intro:
    "Ce que nous savons de vous, pourquoi, combien de temps, et ce que vous pouvez demander. Rien n'est vendu à personne.",
  sections: [
    {
      title: "Qui est responsable",
      paragraphs: [
        ["Pour les comptes des commerçants, le responsable du traitement est ", ...runner, "."],
        "Pour les avis, les gains et les coordonnées des clients, le responsable est le commerçant dont vous avez scanné le QR code\u00a0; nous agissons pour lui, comme sous-traitant.",
      ],
    },
    {
      title: "Les données collectées",
      paragraphs: ["Nous ne demandons que ce qui sert\u00a0:"],
      list: [
        "client d'un magasin\u00a0: prénom, nom, e-mail ou téléphone, note, message éventuel, consentement, participations et gains\u00a0;",
        "commerçant\u00a0: nom, e-mail, téléphone s'il le donne, organisation, abonnement, journal des actions\u00a0;",
        "appareil\u00a0: une empreinte chiffrée, et l'adresse réseau le temps de compter les essais\u00a0; elles ne servent qu'à l'égalité du jeu et à la sécurité.",
      ],
    },
    {
      title: "Les bases légales",
      paragraphs: ["Chaque usage a la sienne\u00a0:"],
      list: [
        "le contrat\u00a0: le compte du commerçant, la participation au jeu et la remise du lot\u00a0;",
        "le consentement\u00a0: les offres commerciales du commerçant, jamais cochées d'avance et retirables à tout moment\u00a0;",
        "l'intérêt légitime\u00a0: la sécurité du service et la lutte contre les abus\u00a0;",
        "l'obligation légale\u00a0: la facturation.",
      ],
    },
    {
      title: "Avec qui elles sont partagées",
      paragraphs: [
        "Avec le commerçant concerné et les personnes de son équipe, selon leur rôle\u00a0; avec notre hébergeur, notre prestataire de paiement pour les seuls commerçants, et le service qui envoie nos messages. Avec personne d'autre, sauf demande d'une autorité habilitée.",
        "L'avis public est écrit par vous sur la page d'avis d'un tiers, selon ses propres règles\u00a0: nous ne lui transmettons rien.",
      ],
    },
    {
      title: "Combien de temps",
      paragraphs: ["Puis elles sont effacées ou rendues anonymes, d'elles-mêmes\u00a0:"],
      list: [
        `données des clients\u00a0: ${CUSTOMER_RETENTION_YEARS}\u00a0ans après le dernier contact\u00a0;`,
        `journaux\u00a0: ${LOG_RETENTION_MONTHS}\u00a0mois au plus\u00a0;`,
        `factures et données de facturation\u00a0: ${BILLING_RETENTION_YEARS}\u00a0ans, comme la loi l'exige\u00a0;`,
        `données d'une organisation qui part\u00a0: exportables ${EXPORT_AFTER_END_DAYS}\u00a0jours, puis effacées.`,
      ],
    },
    {
      title: "Vos droits",
      paragraphs: [
        `Vous pouvez consulter, corriger, effacer ou emporter vos données, limiter leur usage, vous y opposer et retirer votre consentement. L'accord donné pour recevoir des offres se retire aussi par le lien au bas des e-mails sur vos gains et vos avis. Client d'un magasin, adressez-vous à lui\u00a0; sinon, ou s'il ne répond pas, écrivez-nous. La réponse vient dans les ${RIGHTS_ANSWER_DAYS}\u00a0jours.`,
      ],
    },
    {
      title: "Cookies",
      paragraphs: [
        "Aucun cookie de publicité, ni mesure d'audience par un tiers. Votre navigateur garde seulement ce qui fait marcher la page\u00a0: une session ouverte, un gain à retrouver, un tour déjà joué, la langue que vous avez choisie. C'est pourquoi vous n'avez vu aucun bandeau.",
      ],
    },
    {
      title: "Où elles sont",
      paragraphs: [
        [
          "Les données sont hébergées dans l'Union européenne",
          { entry: "host", words: (host) => `\u00a0: ${host}` },
          ". Elles voyagent chiffrées, et chaque commerçant n'accède qu'aux siennes.",
        ],
      ],
    },
    {
      title: "Délégué à la protection des données",
      paragraphs: [
        [
          "Pour toute question",
          {
            entry: "dpo_email",
            words: (email) => `\u00a0: ${email}`,
            otherwise: `, adressez-vous à ${OPERATOR}`,
          },
          ".",
        ],
      ],
    },
    {
      title: "Réclamation",
      paragraphs: [
        "Si notre réponse ne vous convient pas, vous pouvez saisir la CNIL, 3\u00a0place de Fontenoy, TSA\u00a080715, 75334\u00a0Paris Cedex\u00a007, www.cnil.fr.",
      ],
    },
  ],
};
