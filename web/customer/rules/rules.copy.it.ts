import type { Wording } from "#domain/text/wording.ts";
import type { rulesCopy as french } from "./rules.copy.ts";

const days = (count: number) => (count === 1 ? "1 giorno" : `${count} giorni`);

/** Italian of the rules of the draw: a translation, beside the French text that governs. */
export const rulesCopy = {
  pageTitle: (store) => `Regolamento del gioco – ${store}`,
  title: "Regolamento del gioco",
  version: (version, date) => `Versione ${version}, in vigore dal ${date}`,
  formerVersion: (version, date) =>
    `Versione ${version}, pubblicata il ${date}. Non è quella in vigore.`,
  current: "Leggi la versione in vigore",
  play: "Torna al gioco",
  organizer: {
    title: "L'organizzatore",
    text: (name, store, address) =>
      `Il gioco è organizzato da ${name}, per il suo punto vendita ${store}, ${address}. È lì che si contatta l'organizzatore, di persona o per posta.`,
  },
  game: {
    title: "Il gioco e le sue date",
    text: "Il gioco è una ruota che si fa girare sul proprio telefono, dopo aver aperto la pagina del gioco con il codice QR del punto vendita o con il suo indirizzo.",
    from: (start) => `Inizia il ${start}.`,
    openStart: "È aperto da quando la sua pagina è online.",
    until: (end) => `Termina il ${end}.`,
    openEnd:
      "Non ha una data di fine stabilita in anticipo. Termina quando l'organizzatore ritira la pagina.",
    zone: (zone) => `Gli orari sono quelli del negozio: ${zone}.`,
  },
  entry: {
    title: "Chi può giocare, e a quali condizioni",
    free: "La partecipazione è gratuita. Non è richiesto alcun acquisto.",
    noReview:
      "Non è richiesta nemmeno una recensione: la prima pagina propone di partecipare senza lasciarne. Chi ne lascia una lo fa liberamente, positiva o negativa.",
    who: "Può giocare chiunque indichi il proprio nome e un indirizzo e-mail o un numero di telefono propri. Questi recapiti servono a ritrovare il premio.",
    every: (count) =>
      count === 1
        ? "Ogni persona può giocare una volta al giorno."
        : `Ogni persona può giocare una volta ogni ${days(count)}.`,
    unlimited: "Ogni persona può giocare quante volte vuole, al massimo 30 volte all'ora.",
    presence: {
      turning:
        "Per giocare bisogna trovarsi nel punto vendita: è richiesto un codice mostrato alla cassa, che cambia ogni 30 secondi. È visibile a tutti, senza acquisto.",
      word: "Per giocare bisogna trovarsi nel punto vendita: è richiesta la parola del giorno, esposta al banco. È visibile a tutti, senza acquisto.",
      receipt:
        "Per giocare bisogna trovarsi nel punto vendita: sono richieste le ultime quattro cifre di uno scontrino. Senza acquisto, il personale ne dà quattro su semplice richiesta: le probabilità sono le stesse.",
    },
    fair: "Perché tutti giochino ad armi pari, il numero di giri fatti da uno stesso dispositivo in un'ora è limitato.",
  },
  prizes: {
    title: "I premi e le probabilità",
    none: "Al momento non è in palio alcun premio: la ruota non si può giocare.",
    caption: "Premi in palio e probabilità a ogni giro",
    name: "Premio",
    value: "Valore",
    number: "Quantità",
    odds: "Probabilità",
    noValue: "senza valore commerciale indicato",
    noLimit: "senza limite",
    shared: "La quantità vale per questo gioco e altri dello stesso organizzatore.",
    lose: "Nessun premio",
    segments: (labels) => `Sulla ruota: ${labels.map((label) => `«${label}»`).join(", ")}`,
    discount: (percent) => `${percent} di sconto`,
    points: (count) => `${count} punti`,
    maxPerUser: (count) =>
      count === 1
        ? "Una stessa persona può vincerlo una volta."
        : `Una stessa persona può vincerlo al massimo ${count} volte.`,
    validity: (count) => `Da ritirare entro ${days(count)} dalla vincita.`,
    pointsValidity: (count) => `Da spendere entro ${days(count)} dalla vincita.`,
    equal:
      "Le probabilità sono quelle di ogni giro. Sono le stesse con 1 stella, con 5 o senza recensione. Gli spicchi disegnati sulla ruota hanno tutti la stessa dimensione, quali che siano le probabilità.",
    usedUpToLosing:
      "Quando un premio è esaurito, o una persona l'ha vinto tante volte quante sono consentite, le sue probabilità passano agli spicchi che non vincono nulla, in proporzione.",
    usedUpToPrizes:
      "Quando un premio è esaurito, o una persona l'ha vinto tante volte quante sono consentite, le sue probabilità passano agli altri premi, in proporzione. Se non ne resta nessuno, la ruota non si può più giocare.",
  },
  draw: {
    title: "L'estrazione",
    text: "Il vincitore è designato soltanto dal caso. L'estrazione è fatta dal server del gioco, nel momento in cui si lancia la ruota, con un generatore crittografico di numeri casuali. Non conosce né il voto né il testo di una recensione. La ruota si ferma poi su ciò che è stato estratto.",
  },
  collect: {
    title: "Ritirare il premio",
    code: (store) =>
      `Il premio appare subito, con un codice. Viene consegnato in cambio di questo codice, mostrato alla cassa di ${store} prima della data limite scritta sotto il codice. Un codice vale una sola volta.`,
    points: "I punti vinti sono accreditati subito, senza codice.",
    exchange: "Un premio non si cambia né con denaro né con un altro premio.",
  },
  data: {
    title: "I tuoi dati",
    points: (organizer, years, months) => [
      `${organizer} è titolare del trattamento dei recapiti e della recensione, e li riceve per registrare la partecipazione, consegnare il premio ed evitare le partecipazioni multiple. Senza un consenso dato a parte, non servono ad alcuna pubblicità.`,
      `Sono cancellati al più tardi ${years} anni dopo l'ultima visita. L'impronta cifrata del dispositivo è conservata per ${months} mesi.`,
      `Ognuno può consultare, correggere o cancellare i propri dati, o opporsi al loro uso, rivolgendosi a ${organizer}. Si può presentare un reclamo alla CNIL (cnil.fr), l'autorità francese per la protezione dei dati.`,
    ],
    policy: "Informativa sulla privacy (in francese)",
  },
  service: {
    title: "Il servizio",
    text: "La pagina del gioco, l'estrazione e i codici sono forniti da Tournavis.",
    by: (company, address) =>
      `La pagina del gioco, l'estrazione e i codici sono forniti da Tournavis, servizio di ${company}${address === null ? "" : `, ${address}`}.`,
    contact: "Indirizzo del servizio:",
    law: "Il gioco è soggetto al diritto francese. Partecipare significa accettare la versione di questo regolamento in vigore in quel momento.",
  },
  versions: {
    title: "Versioni del regolamento",
    text: "Ogni cambiamento del gioco dà una nuova versione. A ogni giro resta legata la versione con cui è stato giocato.",
    item: (version, date) => `Versione ${version}, pubblicata il ${date}`,
    inForce: "in vigore",
  },
} satisfies Wording<typeof french>;
