import type { Wording } from "#domain/text/wording.ts";
import type { offersCopy as french } from "./offers.copy.ts";

/** Spanish of the page by which a customer withdraws their consent to offers. */
export const offersCopy = {
  title: "Dejar de recibir ofertas",
  ask: (organizer) =>
    `${organizer} ya no podrá enviarle ofertas. Sus premios siguen siendo válidos.`,
  confirm: "Retirar mi consentimiento",
  doneTitle: "Hecho",
  done: (organizer) =>
    `${organizer} ya no puede enviarle ofertas. Sus premios siguen siendo válidos. Si cambia de opinión, vuelva a marcar la casilla en su próxima visita.`,
  shop: "Este comercio",
  gone: "Este comercio ya no utiliza nuestro servicio: aquí no guarda nada sobre usted.",
  badTitle: "Enlace incompleto",
  bad: "Abra de nuevo el enlace del correo, o pida al comercio que retire su consentimiento.",
  failed: "No se ha podido guardar su elección. Inténtelo de nuevo.",
  loading: "Un momento",
} satisfies Wording<typeof french>;
