import { locale } from "#domain/text/locale.copy.es.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { pointsCopy as french } from "./points.copy.ts";

const number = new Intl.NumberFormat(locale);

function points(count: number): string {
  return `${number.format(count)} ${count === 1 ? "punto" : "puntos"}`;
}

/** Spanish of one's points, and of what they buy. */
export const pointsCopy = {
  title: "Tus puntos",
  balance: points,
  loading: "Cargando tus puntos…",
  failed: "Tus puntos no se pueden mostrar ahora. Siguen siendo tuyos.",
  offline: "Sin conexión: estos son tus puntos tal como estaban la última vez.",
  retry: "Reintentar",
  next: (missing, reward) => `Te faltan ${points(missing)} para «${reward}».`,
  ready: (reward) => `Puedes conseguir «${reward}».`,
  none: "Esta tienda aún no tiene ningún regalo que canjear. Tus puntos siguen siendo tuyos.",
  ends: (count, day) =>
    `${points(count)} ${count === 1 ? "caduca" : "caducan"} si no se gastan antes de que acabe el ${day}.`,
  list: "A cambio de tus puntos",
  missing: (count) => `Faltan ${points(count)}`,
  soldOut: "Agotado",
  exchange: "Canjear",
  exchangeFor: (reward) => `Canjear por ${reward}`,
  ask: (cost, reward) => `¿Canjear ${points(cost)} por «${reward}»?`,
  consequence:
    "Recibes un código que enseñar en caja en un plazo de 30 días. Si no se usa, recuperas tus puntos.",
  confirm: "Sí, canjear",
  cancel: "Cancelar",
  sending: "Canjeando…",
  noAnswer: "No ha llegado la respuesta. Inténtalo de nuevo: el canje se hace una sola vez.",
  anywhere: (organization) => `${organization}, en todas sus tiendas`,
  nowhere: "Tienda cerrada",
  codes: "Tus canjes",
  used: (day) => `Usado el ${day}`,
  expired: "Caducado, puntos devueltos",
} satisfies Wording<typeof french>;
