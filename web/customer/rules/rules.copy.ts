/**
 * French of the rules of the draw, wording 1. A version that somebody played under keeps its words: what changes
 * here becomes a new wording (docs/decisions/032), and a test holds this one.
 */
const days = (count: number) => (count === 1 ? "1\u00a0jour" : `${count}\u00a0jours`);

export const rulesCopy = {
  pageTitle: (store: string) => `Règlement du jeu – ${store}`,
  title: "Règlement du jeu",
  version: (version: number, date: string) =>
    `Version\u00a0${version}, en vigueur depuis le ${date}`,
  formerVersion: (version: number, date: string) =>
    `Version\u00a0${version}, publiée le ${date}. Ce n'est pas celle en vigueur.`,
  current: "Lire la version en vigueur",
  play: "Retour au jeu",
  organizer: {
    title: "L'organisateur",
    text: (name: string, store: string, address: string) =>
      `Le jeu est organisé par ${name}, pour son établissement ${store}, ${address}. C'est là que l'on joint l'organisateur, sur place ou par courrier.`,
  },
  game: {
    title: "Le jeu et ses dates",
    text: "Le jeu est une roue que l'on fait tourner sur son téléphone, après avoir ouvert la page du jeu, par le QR code de l'établissement ou par son adresse.",
    from: (start: string) => `Il commence le ${start}.`,
    openStart: "Il est ouvert dès la mise en ligne de sa page.",
    until: (end: string) => `Il se termine le ${end}.`,
    openEnd:
      "Il n'a pas de date de fin fixée à l'avance. Il prend fin quand l'organisateur retire la page.",
    zone: (zone: string) => `Les heures sont celles du magasin : ${zone}.`,
  },
  entry: {
    title: "Qui peut jouer, et à quelles conditions",
    free: "La participation est gratuite. Aucun achat n'est demandé.",
    noReview:
      "Aucun avis n'est demandé non plus\u00a0: la première page propose de participer sans en donner. Qui en donne un le donne librement, bon ou mauvais.",
    who: "Peut jouer toute personne qui indique son nom et une adresse e-mail ou un numéro de téléphone qui sont les siens. Ces coordonnées servent à retrouver le gain.",
    every: (count: number) =>
      count === 1
        ? "Chaque personne peut jouer une fois par jour."
        : `Chaque personne peut jouer une fois tous les ${days(count)}.`,
    unlimited:
      "Chaque personne peut jouer autant de fois qu'elle le souhaite, 30\u00a0fois par heure au plus.",
    presence: {
      turning:
        "Pour jouer, il faut se trouver dans l'établissement\u00a0: un code affiché à la caisse, qui change toutes les 30\u00a0secondes, est demandé. Il est visible de tous, sans achat.",
      word: "Pour jouer, il faut se trouver dans l'établissement\u00a0: le mot du jour, affiché au comptoir, est demandé. Il est visible de tous, sans achat.",
      receipt:
        "Pour jouer, il faut se trouver dans l'établissement\u00a0: les quatre derniers chiffres d'un ticket de caisse sont demandés. Sans achat, l'équipe en donne quatre sur simple demande\u00a0: les chances sont les mêmes.",
    },
    fair: "Pour que chacun joue à égalité, le nombre de tours faits depuis un même appareil en une heure est limité.",
  },
  prizes: {
    title: "Les lots et les chances",
    none: "Aucun lot n'est mis en jeu pour le moment\u00a0: la roue ne se joue pas.",
    caption: "Lots mis en jeu, et chances à chaque tour",
    name: "Lot",
    value: "Valeur",
    number: "Nombre",
    odds: "Chances",
    noValue: "sans valeur marchande indiquée",
    noLimit: "sans limite",
    shared: "Le nombre indiqué vaut pour ce jeu et d’autres du même organisateur.",
    lose: "Aucun lot",
    segments: (labels: readonly string[]) =>
      `Sur la roue\u00a0: ${labels.map((label) => `«\u00a0${label}\u00a0»`).join(", ")}`,
    discount: (percent: string) => `${percent} de remise`,
    points: (count: string) => `${count} points`,
    maxPerUser: (count: number) =>
      count === 1
        ? "Une même personne peut le gagner une fois."
        : `Une même personne peut le gagner ${count} fois au plus.`,
    validity: (count: number) => `À retirer dans les ${days(count)} qui suivent le gain.`,
    pointsValidity: (count: number) => `À dépenser dans les ${days(count)} qui suivent le gain.`,
    equal:
      "Les chances sont celles de chaque tour. Elles sont les mêmes avec 1\u00a0étoile, avec 5 ou sans avis. Les parts dessinées sur la roue ont toutes la même taille, quelles que soient les chances.",
    usedUpToLosing:
      "Quand un lot est épuisé, ou qu'une personne l'a gagné autant de fois qu'il est permis, ses chances vont aux parts qui ne gagnent rien, en proportion.",
    usedUpToPrizes:
      "Quand un lot est épuisé, ou qu'une personne l'a gagné autant de fois qu'il est permis, ses chances vont aux autres lots, en proportion. S'il n'en reste aucun, la roue ne se joue plus.",
  },
  draw: {
    title: "Le tirage",
    text: "Le gagnant est désigné par le hasard seul. Le tirage est fait par le serveur du jeu, au moment où la roue est lancée, avec un générateur de nombres aléatoires cryptographique. Il ne connaît ni la note ni le texte d'un avis. La roue s'arrête ensuite sur ce qui a été tiré.",
  },
  collect: {
    title: "Retirer son gain",
    code: (store: string) =>
      `Le gain s'affiche aussitôt, avec un code. Il est remis contre ce code, montré à la caisse de ${store} avant la date limite écrite sous le code. Un code sert une seule fois.`,
    points: "Les points gagnés sont crédités aussitôt, sans code.",
    exchange: "Un lot ne s'échange ni contre de l'argent ni contre un autre lot.",
  },
  data: {
    title: "Vos données",
    points: (organizer: string, years: number, months: number) => [
      `${organizer} est responsable du traitement des coordonnées et de l'avis, et les reçoit pour enregistrer la participation, remettre le gain et éviter les participations multiples. Sans accord donné à part, elles ne servent à aucune publicité.`,
      `Elles sont effacées au plus tard ${years}\u00a0ans après la dernière visite. L'empreinte chiffrée de l'appareil est gardée ${months}\u00a0mois.`,
      `Chacun peut consulter, corriger ou effacer ses données, ou s'opposer à leur usage, en s'adressant à ${organizer}. Une réclamation peut être portée devant la CNIL (cnil.fr).`,
    ],
    policy: "Politique de confidentialité",
  },
  service: {
    title: "Le service",
    text: "La page du jeu, le tirage et les codes sont fournis par Tournavis.",
    by: (company: string, address: string | null) =>
      `La page du jeu, le tirage et les codes sont fournis par Tournavis, service de ${company}${address === null ? "" : `, ${address}`}.`,
    contact: "Adresse du service\u00a0:",
    law: "Le jeu est soumis au droit français. Participer, c'est accepter la version de ce règlement qui est en vigueur à ce moment.",
  },
  versions: {
    title: "Versions du règlement",
    text: "Chaque changement du jeu donne une nouvelle version. À chaque tour reste attachée la version sous laquelle il a été joué.",
    item: (version: number, date: string) => `Version\u00a0${version}, publiée le ${date}`,
    inForce: "en vigueur",
  },
} as const;
