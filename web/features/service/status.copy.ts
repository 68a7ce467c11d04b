import type { SERVICE_PARTS, ServiceState } from "#domain/schemas/service-status.ts";

type Part = (typeof SERVICE_PARTS)[number];

/** French of the page of the service's state. */
export const statusCopy = {
  title: "Statut du service",
  description:
    "L'état du service Tournavis en ce moment\u00a0: pages, données, base, envoi des messages et tâches de fond.",
  asking: "Vérification en cours…",
  overall: {
    operational: "Tout fonctionne",
    degraded: "Le service est ralenti",
    down: "Le service est interrompu",
    unknown: "État inconnu",
  } satisfies Record<ServiceState, string>,
  silent: "Le service ne répond pas",
  silentText:
    "Votre appareil n'atteint pas le service\u00a0: votre connexion est peut-être coupée, ou le service l'est. Cette page réessaie toute seule.",
  states: {
    operational: "En marche",
    degraded: "Ralenti",
    down: "Interrompu",
    unknown: "Inconnu",
  } satisfies Record<ServiceState, string>,
  parts: {
    pages: { name: "Pages et site", text: "Ce que les clients et les visiteurs ouvrent." },
    api: { name: "Données des commerçants", text: "L'espace des commerçants, la caisse et l'API." },
    database: { name: "Base de données", text: "Là où tout est gardé." },
    mail: { name: "Envoi des messages", text: "E-mails et SMS." },
    jobs: { name: "Tâches de fond", text: "Expiration des codes, résumés, effacements." },
  } satisfies Record<Part, { name: string; text: string }>,
  waiting: (minutes: number) =>
    minutes < 1
      ? "Aucun message n'attend."
      : `Le plus ancien message attend depuis ${minutes}\u00a0min.`,
  lastRun: (moment: string) => `Dernier passage\u00a0: ${moment}.`,
  checked: (moment: string) => `Vérifié à ${moment}.`,
  refresh: "Cette page se met à jour toutes les 30\u00a0secondes.",
  unscripted: "Cette page a besoin de JavaScript, que votre navigateur n'exécute pas.",
  report: "Quelque chose ne va pas chez vous\u00a0?",
  contact: "Écrivez-nous",
} as const;
