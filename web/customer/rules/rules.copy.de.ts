import type { Wording } from "#domain/text/wording.ts";
import type { rulesCopy as french } from "./rules.copy.ts";

const days = (count: number) => (count === 1 ? "1 Tag" : `${count} Tagen`);

/** German of the rules of the draw: a translation, beside the French text that governs. */
export const rulesCopy = {
  pageTitle: (store) => `Teilnahmebedingungen – ${store}`,
  title: "Teilnahmebedingungen",
  version: (version, date) => `Fassung ${version}, in Kraft seit ${date}`,
  formerVersion: (version, date) =>
    `Fassung ${version}, veröffentlicht am ${date}. Sie ist nicht die geltende.`,
  current: "Die geltende Fassung lesen",
  play: "Zurück zum Spiel",
  organizer: {
    title: "Der Veranstalter",
    text: (name, store, address) =>
      `Das Spiel wird veranstaltet von ${name} für das Geschäft ${store}, ${address}. Dort ist der Veranstalter zu erreichen, persönlich oder per Post.`,
  },
  game: {
    title: "Das Spiel und seine Daten",
    text: "Das Spiel ist ein Rad, das man auf dem eigenen Telefon dreht, nachdem man die Seite des Spiels über den QR-Code des Geschäfts oder über ihre Adresse geöffnet hat.",
    from: (start) => `Es beginnt am ${start}.`,
    openStart: "Es ist offen, sobald seine Seite online ist.",
    until: (end) => `Es endet am ${end}.`,
    openEnd:
      "Es hat kein im Voraus festgelegtes Ende. Es endet, wenn der Veranstalter die Seite entfernt.",
    zone: (zone) => `Die Uhrzeiten sind die des Geschäfts: ${zone}.`,
  },
  entry: {
    title: "Wer mitspielen kann und zu welchen Bedingungen",
    free: "Die Teilnahme ist kostenlos. Ein Kauf wird nicht verlangt.",
    noReview:
      "Auch eine Bewertung wird nicht verlangt: Die erste Seite bietet an, ohne Bewertung teilzunehmen. Wer eine abgibt, tut es freiwillig, ob gut oder schlecht.",
    who: "Mitspielen kann, wer seinen Namen und eine eigene E-Mail-Adresse oder Telefonnummer angibt. Diese Angaben dienen dazu, den Gewinn wiederzufinden.",
    every: (count) =>
      count === 1
        ? "Jede Person kann einmal am Tag spielen."
        : `Jede Person kann einmal in ${days(count)} spielen.`,
    unlimited: "Jede Person kann so oft spielen, wie sie möchte, höchstens 30 Mal in der Stunde.",
    presence: {
      turning:
        "Um zu spielen, muss man sich im Geschäft befinden: Verlangt wird ein Code, der an der Kasse steht und alle 30 Sekunden wechselt. Er ist für alle sichtbar, ohne Kauf.",
      word: "Um zu spielen, muss man sich im Geschäft befinden: Verlangt wird das Wort des Tages, das an der Theke steht. Es ist für alle sichtbar, ohne Kauf.",
      receipt:
        "Um zu spielen, muss man sich im Geschäft befinden: Verlangt werden die letzten vier Ziffern eines Kassenbons. Ohne Kauf nennt das Team auf Wunsch vier Ziffern: Die Chancen sind dieselben.",
    },
    fair: "Damit alle unter gleichen Bedingungen spielen, ist die Zahl der Drehungen von einem Gerät in einer Stunde begrenzt.",
  },
  prizes: {
    title: "Preise und Chancen",
    none: "Im Moment gibt es keinen Preis zu gewinnen: Das Rad ist nicht spielbar.",
    caption: "Preise und die Chancen bei jeder Drehung",
    name: "Preis",
    value: "Wert",
    number: "Anzahl",
    odds: "Chancen",
    noValue: "kein Handelswert angegeben",
    noLimit: "unbegrenzt",
    shared: "Die Anzahl gilt für dieses und andere Spiele desselben Veranstalters zusammen.",
    lose: "Kein Preis",
    segments: (labels) => `Auf dem Rad: ${labels.map((label) => `„${label}“`).join(", ")}`,
    discount: (percent) => `${percent} Rabatt`,
    points: (count) => `${count} Punkte`,
    maxPerUser: (count) =>
      count === 1
        ? "Dieselbe Person kann ihn einmal gewinnen."
        : `Dieselbe Person kann ihn höchstens ${count} Mal gewinnen.`,
    validity: (count) => `Innerhalb von ${days(count)} nach dem Gewinn abzuholen.`,
    pointsValidity: (count) => `Innerhalb von ${days(count)} nach dem Gewinn einzulösen.`,
    equal:
      "Die Chancen gelten für jede Drehung. Sie sind mit 1 Stern, mit 5 oder ohne Bewertung dieselben. Alle Felder auf dem Rad sind gleich groß gezeichnet, unabhängig von den Chancen.",
    usedUpToLosing:
      "Ist ein Preis vergriffen oder hat ihn eine Person so oft gewonnen, wie es erlaubt ist, gehen seine Chancen anteilig an die Felder, die nichts gewinnen.",
    usedUpToPrizes:
      "Ist ein Preis vergriffen oder hat ihn eine Person so oft gewonnen, wie es erlaubt ist, gehen seine Chancen anteilig an die anderen Preise. Ist keiner mehr übrig, ist das Rad nicht mehr spielbar.",
  },
  draw: {
    title: "Die Auslosung",
    text: "Über den Gewinn entscheidet allein der Zufall. Die Auslosung nimmt der Server des Spiels in dem Moment vor, in dem das Rad gedreht wird, mit einem kryptografischen Zufallsgenerator. Er kennt weder die Note noch den Text einer Bewertung. Das Rad bleibt dann bei dem stehen, was ausgelost wurde.",
  },
  collect: {
    title: "Den Gewinn abholen",
    code: (store) =>
      `Der Gewinn wird sofort mit einem Code angezeigt. Er wird gegen diesen Code übergeben, der an der Kasse von ${store} vor dem Datum vorzuzeigen ist, das unter dem Code steht. Ein Code gilt nur einmal.`,
    points: "Gewonnene Punkte werden sofort gutgeschrieben, ohne Code.",
    exchange: "Ein Preis wird weder gegen Geld noch gegen einen anderen Preis getauscht.",
  },
  data: {
    title: "Ihre Daten",
    points: (organizer, years, months) => [
      `${organizer} ist verantwortlich für die Verarbeitung der Kontaktdaten und der Bewertung und erhält sie, um die Teilnahme zu speichern, den Gewinn zu übergeben und mehrfache Teilnahmen zu verhindern. Ohne gesonderte Einwilligung dienen sie keiner Werbung.`,
      `Sie werden spätestens ${years} Jahre nach dem letzten Besuch gelöscht. Der verschlüsselte Fingerabdruck des Geräts wird ${months} Monate gespeichert.`,
      `Jede Person kann ihre Daten einsehen, berichtigen oder löschen lassen oder ihrer Verwendung widersprechen, indem sie sich an ${organizer} wendet. Eine Beschwerde kann bei der CNIL (cnil.fr) eingereicht werden, der französischen Datenschutzbehörde.`,
    ],
    policy: "Datenschutzerklärung (auf Französisch)",
  },
  service: {
    title: "Der Dienst",
    text: "Die Seite des Spiels, die Auslosung und die Codes stellt Tournavis bereit.",
    by: (company, address) =>
      `Die Seite des Spiels, die Auslosung und die Codes stellt Tournavis bereit, ein Dienst von ${company}${address === null ? "" : `, ${address}`}.`,
    contact: "Adresse des Dienstes:",
    law: "Das Spiel unterliegt französischem Recht. Wer teilnimmt, akzeptiert die in diesem Moment geltende Fassung dieser Bedingungen.",
  },
  versions: {
    title: "Fassungen der Bedingungen",
    text: "Jede Änderung des Spiels ergibt eine neue Fassung. Jede Drehung bleibt mit der Fassung verbunden, unter der sie gespielt wurde.",
    item: (version, date) => `Fassung ${version}, veröffentlicht am ${date}`,
    inForce: "in Kraft",
  },
} satisfies Wording<typeof french>;
