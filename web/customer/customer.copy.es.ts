import type { Wording } from "#domain/text/wording.ts";
import type { customerCopy as french } from "./customer.copy.ts";

/** Spanish that every phone page shares. */
export const customerCopy = {
  progress: (step, total) => `Paso ${step} de ${total}`,
  loading: "Cargando…",
  retry: "Reintentar",
  sending: "Enviando…",
  offline: "Se ha perdido la conexión. No se ha perdido nada más: reinténtalo cuando vuelva.",
  startAgain: "Volver al principio",
  scriptNeeded: "Para continuar, activa JavaScript en tu navegador.",
  email: "Correo electrónico",
  phone: "Número de teléfono",
} satisfies Wording<typeof french>;
