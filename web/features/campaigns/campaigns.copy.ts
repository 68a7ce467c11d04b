import { formatCount } from "../../lib/format.ts";

/** The campaigns: their list and a new one (specification, sections 2.13, 2.14, 5 and 8). */
export const campaignsCopy = {
  list: {
    title: "Campagnes",
    create: "Nouvelle campagne",
    export: "Exporter",
    search: "Rechercher une campagne...",
    found: (count: number) => formatCount(count, "campagne trouvée", "campagnes trouvées"),
    items: "Liste des campagnes",
    columns: { name: "Nom", store: "Magasin", dates: "Période", actions: "Actions" },
    selection: {
      export: "Exporter la sélection",
      archive: "Archiver",
      title: (count: number) => `Archiver ${formatCount(count, "campagne", "campagnes")} ?`,
      text: "Elles s'arrêtent aussitôt : leurs QR codes ne mèneront plus à la roue. Les avis, les clients et les codes déjà gagnés restent, et vous pourrez les remettre en service.",
    },
    which: "Campagnes affichées",
    inUse: "En service",
    putAway: (count: string) => `Archivées (${count})`,
    nonePutAway: "Aucune campagne archivée",
    stats: {
      title: "Chiffres des campagnes",
      active: "Campagnes actives",
      ofTotal: (total: string) => `Sur ${total} total`,
      scans: "Total scans",
      reviews: "Avis collectés",
      conversion: (share: string) => `Taux de conversion : ${share}`,
      rating: "Note moyenne",
      outOf: "Sur 5 étoiles",
    },
    unknownStore: "Store Unknown",
    between: (start: string, end: string) => `Du ${start} au ${end}`,
    from: (start: string) => `Depuis le ${start}`,
    startsOn: (start: string) => `À partir du ${start}`,
    counts: {
      scans: "Scans",
      reviews: "Avis",
      spins: "Participations",
      redemptions: "Rédemptions",
    },
    qr: "QR Code",
    test: "Tester",
    qrOf: (name: string) => `QR Code : ${name}`,
    testOf: (name: string) => `Tester ${name} (nouvel onglet)`,
    /** In place of the test of a campaign whose page is closed to customers. */
    untestable: {
      title: "Pas de test pour l'instant",
      states: {
        inactive: "Cette campagne est inactive",
        archived: "Cette campagne est archivée",
        scheduled: "Cette campagne n'a pas encore commencé",
        over: "Cette campagne est terminée",
      },
      text: (state: string) =>
        `${state}. « Tester » ouvre la page de vos clients, qui ne montre la roue que pendant la campagne.`,
      wheel: "La roue s'essaie quand même là où vous la modifiez.",
      toWheel: "Voir la roue",
      close: "Fermer",
    },
    empty: {
      title: "Aucune campagne créée",
      text: "Une campagne réunit un magasin, un QR code et une roue. La première prend une minute.",
      action: "Créer ma campagne",
    },
    loadFailed: "Erreur lors du chargement des campagnes",
    noMatch: "Aucune campagne trouvée pour cette recherche",
    clear: "Effacer la recherche",
  },
  menu: {
    label: (name: string) => `Actions pour ${name}`,
    stats: "Voir statistiques",
    edit: "Modifier",
    duplicate: "Dupliquer",
    copyOf: (name: string) => `${name} (copie)`,
    restore: "Remettre en service",
    remove: "Supprimer",
    duplicateFailed: "La campagne n'a pas pu être dupliquée. Réessayez.",
    restoreFailed: "La campagne n'a pas pu être remise en service. Réessayez.",
    forbidden: "Cette campagne n'existe plus, ou vous n'avez pas le droit de la modifier.",
  },
  remove: {
    deleteTitle: (name: string) => `Supprimer ${name} ?`,
    delete: "Supprimer",
    deleted: (rewards: number) => {
      if (rewards === 0) return "La campagne et sa roue seront supprimées définitivement.";
      if (rewards === 1) {
        return "La campagne, sa roue et sa récompense seront supprimées définitivement.";
      }
      return `La campagne, sa roue et ses ${rewards} récompenses seront supprimées définitivement.`;
    },
    address: (slug: string) =>
      `L'adresse /c/${slug} ne mènera plus nulle part : un QR code déjà imprimé ne servira plus.`,
    archiveTitle: (name: string) => `Archiver ${name} ?`,
    archive: "Archiver",
    history:
      "Des clients ont déjà participé : cette campagne ne peut pas être supprimée, mais elle peut être archivée.",
    stops: "Elle s'arrête tout de suite : ses pages publiques se ferment.",
    keeps:
      "Ses chiffres, ses avis et les codes déjà gagnés restent. Vous pourrez la remettre en service à tout moment.",
    changed:
      "Un client vient de participer à cette campagne : elle ne peut plus être supprimée. Fermez, puis archivez-la.",
    forbidden: "Vous n'avez pas le droit de supprimer des campagnes. Demandez à votre responsable.",
  },
  qr: {
    title: (name: string) => `QR code : ${name}`,
    text: "Imprimez-le et posez-le près de la caisse : chaque scan mène à votre campagne.",
    picture: (name: string) => `QR code qui mène à la campagne ${name}`,
    failed: "Le QR code n'a pas pu être dessiné. Vérifiez le réseau, puis réessayez.",
    retry: "Réessayer",
    png: "Télécharger en PNG",
    svg: "Télécharger en SVG",
    link: "Lien public",
    copy: "Copier le lien",
    copied: "Lien copié",
    close: "Fermer",
  },
  create: {
    title: "Nouvelle campagne",
    text: "Votre QR code est prêt dès que la campagne est créée.",
    back: "Retour aux campagnes",
    name: "Nom de la campagne",
    nameHint:
      "Vos clients le lisent en haut de la page. Deux campagnes ne peuvent pas porter le même nom.",
    namePlaceholder: "La roue de Noël",
    description: "Description (facultatif)",
    descriptionHint: "Une note pour votre équipe, jamais montrée aux clients.",
    store: "Magasin",
    storeChoose: "Choisissez un magasin",
    startsOn: "Début (facultatif)",
    startsHint: "Vide : la campagne démarre tout de suite.",
    endsOn: "Fin (facultatif)",
    endsHint: "Vide : sans limite de durée.",
    active: "Campagne active",
    origin: {
      title: "Partir de",
      choices: {
        empty: { label: "Zéro", hint: "Une campagne vide, à compléter" },
        template: { label: "Un modèle", hint: "Des gains et une roue pour votre métier" },
        copy: { label: "Une autre campagne", hint: "Avec ses récompenses et sa roue" },
      },
      trade: "Votre métier",
      adjust: "Ajuster les gains et la roue",
      source: "Campagne à copier",
      sourceRequired: "Choisissez la campagne à copier.",
      noSource: "Aucune de vos campagnes n'a encore de récompense à reprendre.",
      sourcesFailed: "Vos campagnes ne se chargent pas.",
      stock: "Stock des récompenses",
      stocks: {
        left: "Ce qu'il en reste",
        unlimited: "Illimité",
        count: "Un nombre pour chacune",
        shared: "Partagé avec l'autre campagne",
      },
      sharedHint:
        "Les mêmes récompenses dans les deux campagnes, avec un seul stock et les mêmes réglages.",
      count: "Nombre pour chaque récompense",
      stockRequired: "Indiquez un nombre, à partir de 1.",
    },
    activeHint: "Inactive, elle attend : ses pages publiques restent fermées.",
    submit: "Créer la campagne",
    cancel: "Annuler",
    nameRequired: "Donnez un nom à la campagne.",
    tooLong: "Ce texte est trop long : raccourcissez-le.",
    storeRequired: "Choisissez le magasin où elle se déroule.",
    endsBefore: "La fin doit venir après le début.",
    noStore: {
      title: "Aucun établissement trouvé",
      text: "Une campagne se déroule dans un magasin. Créez d'abord le vôtre.",
      action: "Créer un magasin",
      archived: "Une campagne se déroule dans un magasin, et tous les vôtres sont archivés.",
      toArchived: "Voir les magasins archivés",
    },
    storesFailed: "Erreur lors du chargement des établissements",
    failed: {
      exists: "Une campagne avec ce nom existe déjà",
      limit:
        "Votre plan ne permet pas plus de campagnes actives à la fois. Créez celle-ci inactive, ou désactivez-en une autre d'abord.",
      forbidden: "Vous n'avez pas le droit de créer des campagnes. Demandez à votre responsable.",
      fallback: "Erreur lors de la création de la campagne",
    },
  },
} as const;
