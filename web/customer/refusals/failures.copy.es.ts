import type { Wording } from "#domain/text/wording.ts";
import type { failuresCopy as french } from "./failures.copy.ts";

/** Spanish of what can go wrong on a phone page. */
export const failuresCopy = {
  serverFault: "El servicio no responde como debería. Inténtalo de nuevo en un momento.",
  notFoundHint:
    "Aún no ha empezado o ya ha terminado. Pregunta en el mostrador o escanea de nuevo el código QR.",
  waitSeconds: (seconds) =>
    seconds < 90
      ? `Inténtalo de nuevo en ${seconds} segundo${seconds > 1 ? "s" : ""}.`
      : `Inténtalo de nuevo en ${Math.ceil(seconds / 60)} minutos.`,
} satisfies Wording<typeof french>;
