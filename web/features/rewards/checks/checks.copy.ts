import type { CheckAction, CheckedCode, CheckGroup } from "#domain/schemas/checks.ts";
import { slashedDay } from "#domain/text/calendar-day.ts";
import { formatCount } from "../../../lib/format.ts";

const prizes = (count: number) => formatCount(count, "gain", "gains");

/** Prizes that look like cheating, on the screen of the rewards. */
export const checksCopy = {
  title: "Gains à vérifier",
  some: (open: number) =>
    open >= 100
      ? "Plus de 100 groupes de gains sortent de l'ordinaire."
      : `${formatCount(open, "groupe de gains sort", "groupes de gains sortent")} de l'ordinaire.`,
  none: "Rien d'inhabituel en ce moment.",
  open: "Vérifier",
  look: "Ouvrir",
  close: "Fermer",
  loadFailed: "Les gains à vérifier ne se chargent pas",
  intro:
    "Un motif n'est pas une preuve : rien n'est refusé tant que vous n'avez rien décidé. Mis en attente, un gain ne passe plus en caisse ; tout se rétablit en un clic.",
  which: "Gains affichés",
  tabs: { open: "À vérifier", closed: "Traités", settings: "Réglages" },
  empty: {
    open: { title: "Rien à vérifier", text: "Les gains inhabituels arrivent ici avec leur motif." },
    closed: {
      title: "Rien de traité",
      text: "Ce que vous classez reste ici, et peut être repris.",
    },
  },
  /** Why a group is here. */
  reason: ({ kind, names, label }: CheckGroup): string => {
    switch (kind) {
      case "device":
        return `Un même appareil a joué sous ${formatCount(names, "nom", "noms")}`;
      case "network":
        return `${formatCount(names, "nouveau joueur", "nouveaux joueurs")} en peu de temps depuis un même réseau`;
      case "disposable":
        return `Adresses jetables : ${label}`;
      case "quiet_hours":
        return `Validés en dehors des horaires, le ${dayOf(label)}`;
    }
  },
  hint: {
    device:
      "Une famille nombreuse, ou le téléphone prêté au comptoir ? Classez : cet appareil ne sera plus signalé.",
    network: "Une sortie de groupe sur votre Wi-Fi peut l'expliquer.",
    disposable: "Ces adresses ne vivent que quelques minutes : elles servent souvent à rejouer.",
    quiet_hours: "Voyez avec l'équipe qui était à la caisse à cette heure.",
  },
  short: {
    device: "Même appareil",
    network: "Même réseau",
    disposable: "Adresse jetable",
    quiet_hours: "Hors horaires",
  },
  also: (reasons: string) => `Aussi : ${reasons}`,
  /** Behind the name of the campaign. */
  facts: (count: number, losses: number, ago: string) => {
    const lost = losses > 0 ? ` et ${formatCount(losses, "tour perdu", "tours perdus")}` : "";
    return ` • ${prizes(count)}${lost} • ${ago}`;
  },
  closedBy: (name: string | null, isNormal: boolean) => {
    const what = isNormal ? "Classé sans suite" : "Traité";
    return name ? `${what} par ${name}` : what;
  },
  shown: (shown: number, total: number) => `Les ${shown} plus récents sur ${total}.`,
  states: {
    available: "Disponible",
    used: "Utilisé",
    expired: "Expiré",
    held: "En attente",
    cancelled: "Annulé",
  } satisfies Record<CheckedCode["state"], string>,
  anonymous: "Anonyme",
  show: "Voir les gains",
  actionsFor: (reason: string) => `Décider : ${reason}`,
  actions: {
    hold: "Mettre en attente",
    cancel: "Annuler les gains",
    release: "Rétablir les gains",
    clear: "Rien d'anormal",
    reopen: "Reprendre",
  } satisfies Record<CheckAction, string>,
  one: {
    hold: "Mettre en attente",
    release: "Rétablir",
    for: (action: string, code: string) => `${action} : ${code}`,
  },
  done: {
    hold: (count: number) =>
      `${prizes(count)} en attente. Les gagnants seront prévenus dans dix minutes.`,
    cancel: (count: number) =>
      `${formatCount(count, "gain annulé et remis", "gains annulés et remis")} en stock. Les gagnants seront prévenus dans dix minutes.`,
    release: (count: number) =>
      `${formatCount(count, "gain de nouveau valable", "gains de nouveau valables")}.`,
    clear: () => "Classé : plus rien n'est en attente.",
    reopen: () => "De nouveau à vérifier.",
  } satisfies Record<CheckAction, (count: number) => string>,
  nothing: "Rien n'a changé : quelqu'un d'autre a déjà décidé.",
  left: (count: number) =>
    `${formatCount(count, "gain inchangé : déjà utilisé", "gains inchangés : déjà utilisés")} en caisse, ou stock épuisé.`,
  confirm: {
    title: "Annuler ces gains ?",
    text: (count: number) =>
      `${formatCount(count, "gain ne pourra plus être utilisé et retourne", "gains ne pourront plus être utilisés et retournent")} en stock. Les gagnants sont prévenus par e-mail dix minutes plus tard ; d'ici là, vous pouvez encore tout rétablir.`,
  },
  failed: "Rien n'a changé. Réessayez.",
  settings: {
    campaign: "Campagne",
    none: "Créez une campagne pour régler ce qu'elle signale.",
    names: "Noms sur un même appareil, en un jour",
    namesHint: "À partir de ce nombre, ou du double en un mois, ses gains sont signalés.",
    network: "Nouveaux joueurs d'un même réseau, en dix minutes",
    networkHint:
      "À partir de ce nombre, ou d'une fois et demie en une heure ; du triple là où l'on vient d'utiliser un gain, comme sur votre Wi-Fi.",
    limit: "Tours par appareil et par jour",
    limitHint: "Vide : aucune limite. Un téléphone prêté au comptoir en demande beaucoup.",
    disposable: "Signaler les adresses jetables",
    quiet: "Signaler les gains validés la nuit, ou à une heure inhabituelle",
    from: "De",
    to: "À",
    presence: "Preuve de présence",
    presenceHint: "Demandée avant de lancer la roue. Jamais la position du téléphone.",
    presences: {
      none: "Aucune",
      turning: "Code qui change, à la caisse",
      word: "Mot du jour, au comptoir",
      receipt: "4 derniers chiffres du ticket",
    },
    presenceNotes: {
      none: null,
      turning:
        "Six chiffres et un QR code, nouveaux toutes les 30 secondes. Ouvrez « Code à afficher » dans la caisse. Une photo ne sert plus après 90 secondes.",
      word: "Un mot et deux chiffres, nouveaux à minuit. Ouvrez « Code à afficher » dans la caisse et recopiez-le. Il peut se transmettre dans la journée.",
      receipt:
        "Prouve moins : seule la forme est vérifiée, quatre chiffres inventés passent. Sans achat, donnez quatre chiffres à qui les demande.",
    },
    save: "Enregistrer",
    saved: "Réglages enregistrés.",
    invalid:
      "Vérifiez les nombres : 2 à 500 noms, 3 à 500 joueurs, 1 à 500 tours, et deux heures différentes.",
  },
} as const;

function dayOf(label: string | null): string {
  return label ? slashedDay(label) : "";
}
