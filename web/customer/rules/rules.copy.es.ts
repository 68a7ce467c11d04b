import type { Wording } from "#domain/text/wording.ts";
import type { rulesCopy as french } from "./rules.copy.ts";

const days = (count: number) => (count === 1 ? "1 día" : `${count} días`);

/** Spanish of the rules of the draw: a translation, beside the French text that governs. */
export const rulesCopy = {
  pageTitle: (store) => `Bases del juego – ${store}`,
  title: "Bases del juego",
  version: (version, date) => `Versión ${version}, en vigor desde el ${date}`,
  formerVersion: (version, date) =>
    `Versión ${version}, publicada el ${date}. No es la que está en vigor.`,
  current: "Leer la versión en vigor",
  play: "Volver al juego",
  organizer: {
    title: "El organizador",
    text: (name, store, address) =>
      `El juego lo organiza ${name}, para su establecimiento ${store}, ${address}. Ahí se contacta con el organizador, en persona o por correo postal.`,
  },
  game: {
    title: "El juego y sus fechas",
    text: "El juego es una ruleta que se gira en el propio teléfono, tras abrir la página del juego con el código QR del establecimiento o con su dirección.",
    from: (start) => `Empieza el ${start}.`,
    openStart: "Está abierto desde que su página está en línea.",
    until: (end) => `Termina el ${end}.`,
    openEnd:
      "No tiene una fecha de fin fijada de antemano. Termina cuando el organizador retira la página.",
    zone: (zone) => `Las horas son las de la tienda: ${zone}.`,
  },
  entry: {
    title: "Quién puede jugar y en qué condiciones",
    free: "La participación es gratuita. No se pide ninguna compra.",
    noReview:
      "Tampoco se pide una opinión: la primera página propone participar sin darla. Quien da una lo hace libremente, buena o mala.",
    who: "Puede jugar toda persona que indique su nombre y un correo electrónico o un número de teléfono propios. Estos datos sirven para recuperar el premio.",
    every: (count) =>
      count === 1
        ? "Cada persona puede jugar una vez al día."
        : `Cada persona puede jugar una vez cada ${days(count)}.`,
    unlimited: "Cada persona puede jugar tantas veces como quiera, 30 veces por hora como máximo.",
    presence: {
      turning:
        "Para jugar hay que estar en el establecimiento: se pide un código que se ve en caja y cambia cada 30 segundos. Está a la vista de todos, sin compra.",
      word: "Para jugar hay que estar en el establecimiento: se pide la palabra del día, a la vista en el mostrador. La ven todos, sin compra.",
      receipt:
        "Para jugar hay que estar en el establecimiento: se piden las cuatro últimas cifras de un tique de caja. Sin compra, el equipo da cuatro a quien las pide: las posibilidades son las mismas.",
    },
    fair: "Para que todos jueguen en igualdad, el número de giros desde un mismo dispositivo en una hora está limitado.",
  },
  prizes: {
    title: "Premios y probabilidades",
    none: "Por ahora no hay ningún premio en juego: la ruleta no se puede jugar.",
    caption: "Premios en juego y probabilidades en cada giro",
    name: "Premio",
    value: "Valor",
    number: "Cantidad",
    odds: "Probabilidad",
    noValue: "sin valor comercial indicado",
    noLimit: "sin límite",
    shared: "La cantidad vale para este juego y otros del mismo organizador.",
    lose: "Ningún premio",
    segments: (labels) => `En la ruleta: ${labels.map((label) => `«${label}»`).join(", ")}`,
    discount: (percent) => `${percent} de descuento`,
    points: (count) => `${count} puntos`,
    maxPerUser: (count) =>
      count === 1
        ? "Una misma persona puede ganarlo una vez."
        : `Una misma persona puede ganarlo ${count} veces como máximo.`,
    validity: (count) => `Se recoge en los ${days(count)} siguientes al premio.`,
    pointsValidity: (count) => `Se gastan en los ${days(count)} siguientes al premio.`,
    equal:
      "Las probabilidades son las de cada giro. Son las mismas con 1 estrella, con 5 o sin opinión. Las partes dibujadas en la ruleta tienen todas el mismo tamaño, sean cuales sean las probabilidades.",
    usedUpToLosing:
      "Cuando un premio se agota, o una persona lo ha ganado tantas veces como está permitido, sus probabilidades pasan a las partes que no ganan nada, en proporción.",
    usedUpToPrizes:
      "Cuando un premio se agota, o una persona lo ha ganado tantas veces como está permitido, sus probabilidades pasan a los demás premios, en proporción. Si no queda ninguno, la ruleta ya no se puede jugar.",
  },
  draw: {
    title: "El sorteo",
    text: "El ganador lo designa únicamente el azar. El sorteo lo hace el servidor del juego en el momento en que se gira la ruleta, con un generador criptográfico de números aleatorios. No conoce ni la nota ni el texto de una opinión. La ruleta se para después en lo que ha salido.",
  },
  collect: {
    title: "Recoger el premio",
    code: (store) =>
      `El premio aparece enseguida, con un código. Se entrega a cambio de ese código, enseñado en la caja de ${store} antes de la fecha límite escrita debajo. Un código sirve una sola vez.`,
    points: "Los puntos ganados se suman enseguida, sin código.",
    exchange: "Un premio no se cambia ni por dinero ni por otro premio.",
  },
  data: {
    title: "Tus datos",
    points: (organizer, years, months) => [
      `${organizer} es responsable del tratamiento de los datos de contacto y de la opinión, y los recibe para registrar la participación, entregar el premio y evitar participaciones múltiples. Sin un consentimiento dado aparte, no se usan para ninguna publicidad.`,
      `Se borran como muy tarde ${years} años después de la última visita. La huella cifrada del dispositivo se guarda ${months} meses.`,
      `Cada persona puede consultar, corregir o borrar sus datos, u oponerse a su uso, dirigiéndose a ${organizer}. Se puede presentar una reclamación ante la CNIL (cnil.fr), la autoridad francesa de protección de datos.`,
    ],
    policy: "Política de privacidad (en francés)",
  },
  service: {
    title: "El servicio",
    text: "La página del juego, el sorteo y los códigos los proporciona Tournavis.",
    by: (company, address) =>
      `La página del juego, el sorteo y los códigos los proporciona Tournavis, servicio de ${company}${address === null ? "" : `, ${address}`}.`,
    contact: "Dirección del servicio:",
    law: "El juego se rige por el derecho francés. Participar es aceptar la versión de estas bases que está en vigor en ese momento.",
  },
  versions: {
    title: "Versiones de las bases",
    text: "Cada cambio del juego da una nueva versión. Cada giro queda unido a la versión con la que se jugó.",
    item: (version, date) => `Versión ${version}, publicada el ${date}`,
    inForce: "en vigor",
  },
} satisfies Wording<typeof french>;
