import type { Wording } from "#domain/text/wording.ts";
import type { keepCopy as french } from "./keep.copy.ts";

/** Spanish of what one can do with a prize to find it again. */
export const keepCopy = {
  pageTitle: (store) => `Mis premios – ${store}`,
  title: "Mis premios",
  page: "Ver mis premios",
  play: "Volver al juego",
  none: "Ningún premio espera en este teléfono.",
  noneHint:
    "¿Lo ganaste en otro sitio o se borró con los datos del navegador? El código que recibiste por correo, apuntaste o fotografiaste sigue siendo válido en caja.",
  offline: "Sin conexión: lo que sigue está guardado en este teléfono.",
  mailedMissing: "El premio de este correo ya no existe.",
  mailedOffline: "Sin conexión no se puede abrir el premio del correo.",
  calendar: {
    action: "Añadir al calendario",
    file: "premio.ics",
    title: (prize, store) => `Último día para recoger «${prize}» – ${store}`,
    text: (code, store) => `${store}: enseña el código ${code} en la caja.`,
  },
  mail: {
    action: "Enviármelo por correo",
    sending: "Enviando…",
    sentTo: (address) => `Enviado a ${address}. Mira también en el correo no deseado.`,
    sentBefore: "Ya está enviado. Mira también en el correo no deseado.",
    address: "¿A qué dirección?",
    send: "Enviar",
    offline: "Sin conexión el correo no sale. Reinténtalo cuando vuelva.",
  },
  used: (date) => `Usado el ${date}`,
  expired: "Caducado",
  drop: "Quitarlo de aquí",
} satisfies Wording<typeof french>;
