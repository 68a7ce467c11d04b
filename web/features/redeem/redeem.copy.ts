import { codeErrorCopy } from "#domain/errors/code-errors.copy.ts";
import { officeErrorCopy } from "#domain/errors/office-errors.copy.ts";
import { undoCopy } from "../../lib/undo.copy.ts";

/** The till (`/encaisser`). Short: it is read at arm's length, with a queue waiting. */
export const redeemCopy = {
  pageTitle: "Encaisser",
  header: {
    home: "Accueil de Tournavis",
    store: "Magasin",
    office: "Tableau de bord",
    account: "Mon compte",
    signOut: "Se déconnecter",
    signOutFailed: "Déconnexion impossible sans réseau. Réessayez.",
  },
  entry: {
    title: "Encaisser un gain",
    text: "Tapez le code du client ou scannez son QR code.",
    code: "Code du client",
    codeRequired: "Tapez un code, ou scannez-le.",
    check: "Vérifier le code",
    scan: "Scanner le QR code",
  },
  /** For somebody whose back-office closed while they worked there. */
  newRole:
    "Votre rôle dans l'équipe a changé : vous travaillez maintenant à la caisse. Une question ? Voyez avec la personne qui gère l'équipe.",
  loading: "Chargement...",
  offline:
    "Hors ligne : aucun code ne peut être vérifié ni validé. Retrouvez le réseau, puis réessayez : rien n'est mis en attente.",
  access: {
    loadFailed: "La caisse ne se charge pas",
    retry: "Réessayer",
    noOrganization: {
      title: "Pas encore d'équipe",
      text: "Votre compte n'appartient à aucune organisation. Demandez une invitation à votre responsable.",
    },
    /** For a colleague of an organisation that was erased. */
    erased: {
      title: "Organisation supprimée",
      text: "L'organisation dont vous faisiez partie a été supprimée : sa caisse n'existe plus. Vous gardez votre compte.",
    },
    /** For a colleague who was taken out of a team. */
    ended: (organization: string) => ({
      title: `Votre accès à l'organisation ${organization} a pris fin`,
      text: "Vous avez été retiré de cette équipe. Pour revenir, adressez-vous à la personne qui gère l'équipe.",
    }),
    toStart: "Continuer",
    forbidden: {
      title: "Caisse réservée",
      text: "Vous n'avez pas le droit de valider des codes. Demandez ce droit à votre responsable.",
    },
    noStore: {
      title: "Aucun magasin",
      text: "Votre organisation n'a pas encore de magasin. Demandez à son propriétaire d'en créer un pour encaisser.",
    },
    createStore: {
      title: "Aucun magasin",
      text: "Votre organisation n'a pas encore de magasin : créez-en un pour encaisser.",
    },
    archivedStore: {
      title: "Magasin archivé",
      text: "Votre magasin est archivé. Demandez au propriétaire de le remettre en service pour encaisser.",
    },
    restoreStore: {
      title: "Magasin archivé",
      text: "Votre magasin est archivé : remettez-le en service ou créez-en un pour encaisser.",
    },
    toArchivedStores: "Voir les magasins archivés",
    toNewStore: "Créer un magasin",
  },
  /** The answer in three words, and what it means. */
  answers: {
    available: "Code valable",
    used: "Déjà utilisé",
    expired: "Code expiré",
    held: "À vérifier",
    cancelled: "Gain annulé",
    other_store: "Autre magasin",
    test: "Code de test",
    unknown: "Code inconnu",
    too_many_attempts: "Trop d'essais",
    redeemed: "C'est validé",
    restored: "Validation annulée",
  },
  usedAt: (moment: string) => `Validé ${moment}.`,
  usedAtBy: (moment: string, name: string) => `Validé ${moment} par ${name}.`,
  expiredOn: (day: string) => `Il était valable jusqu'au ${day}.`,
  expired: "Sa date limite est passée.",
  held: "L'équipe vérifie ce gain. Il reste à son nom : proposez au client de repasser.",
  cancelled: "L'équipe a annulé ce gain.",
  otherStore: (store: string) => `Ce gain se retire chez ${store}.`,
  otherStoreUnknown: "Ce gain se retire dans un autre magasin.",
  test: "Il vient du mode test et ne donne droit à rien.",
  unknown: "Vérifiez les caractères avec le client.",
  tooManyAttempts: "Patientez une minute, puis réessayez.",
  restored: "Le code est de nouveau valable.",
  ticket: {
    customer: "Client",
    anonymous: "Sans nom",
    code: "Code",
    validity: "Valable",
    validUntil: (day: string) => `jusqu'au ${day}`,
    validForever: "sans date limite",
    redeemedAt: (time: string) => `à ${time}`,
  },
  actions: {
    redeem: "Valider le gain",
    retry: "Réessayer",
    cancel: "Annuler",
    undo: undoCopy.action,
    next: "Code suivant",
    scanNext: "Scanner le suivant",
    correct: "Corriger le code",
    checks: "Voir les gains à vérifier",
  },
  problems: {
    ...undoCopy.problems,
    ...codeErrorCopy,
    forbidden: officeErrorCopy.forbidden,
    network: "Pas de réponse. Rien n'est confirmé : vérifiez le réseau, puis réessayez.",
  },
  scanner: {
    title: "Scanner le QR code",
    aim: "Placez le QR code du client dans le cadre.",
    starting: "Ouverture de la caméra...",
    type: "Taper le code",
    torchOn: "Allumer la lampe",
    torchOff: "Éteindre la lampe",
    retry: "Réessayer",
    failures: {
      denied:
        "L'accès à la caméra est refusé. Autorisez-la dans les réglages du navigateur, ou tapez le code.",
      missing: "Aucune caméra sur cet appareil. Tapez le code.",
      busy: "Une autre application utilise la caméra. Fermez-la, puis réessayez.",
      insecure:
        "La caméra demande une adresse sécurisée (https). Ouvrez le site en https, ou tapez le code.",
      failed: "Le lecteur de QR code ne démarre pas. Réessayez, ou tapez le code.",
    },
  },
} as const;
