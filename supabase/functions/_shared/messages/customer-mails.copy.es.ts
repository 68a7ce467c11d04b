import type { Wording } from "../domain/text/wording.ts";
import type { customerMailsCopy as french } from "./customer-mails.copy.ts";

/** Spanish of the mails to customers. */
export const customerMailsCopy = {
  colon: ":",
  frame: {
    greeting: "Hola{{ if .Data.full_name }} {{ .Data.full_name }}{{ end }}:",
    visibleLink: "¿El botón no responde? Copia esta dirección en tu navegador:",
    footer: "Tournavis, opiniones y una ruleta para tus clientes",
    sentFor: (name) => `Enviado por Tournavis en nombre de ${name}`,
    sender: (name) => `${name} a través de Tournavis`,
    operator: "{{ if .Operator }}Servicio gestionado por {{ .Operator }}.{{ end }}",
    contact: "{{ if .Contact }}Para escribirnos: {{ .Contact }}{{ end }}",
    automaticToAnybody: "Mensaje automático.",
    qr: "Código QR para enseñar en la caja",
  },
  ticket: {
    code: "Tu código:",
    until: "{{ if .Data.until }}Válido hasta el {{ .Data.until }}{{ end }}",
    anywhere: "{{ if .Data.anywhere }}Válido en todas las tiendas{{ end }}",
    map: "Ver en el mapa",
  },
  toPrize: "Ver mi premio",
  toCode: "Ver mi código",
  rules: "Bases del juego (solo vale el texto francés)",
  notAPlayer: "¿No has jugado? Ignora este mensaje.",
  offers: {
    why: "Aceptó recibir las ofertas de {{ .Data.organizer }}.",
    stop: "Dejar de recibirlas",
  },
  answered:
    "Dejaste una opinión en {{ .Data.store }}. Para escribirles, responde simplemente a este mensaje.",
  prize: {
    subject: "Tu premio en {{ .Data.store }}",
    preview:
      "El código para enseñar en la caja{{ if .Data.until }}, hasta el {{ .Data.until }}{{ end }}.",
    title: "Tu premio te espera",
    text: "{{ .Data.store }}: enseña este código en la caja. Solo sirve una vez.",
    why: "Este mensaje se pidió desde el teléfono que ganó. Tu dirección solo sirve para este premio.",
  },
  reminder: {
    subject: "Tu premio en {{ .Data.store }} te espera hasta el {{ .Data.until }}",
    preview: "El código para enseñar en la caja antes del final.",
    title: "Solo quedan unos días",
    text: "Tu premio en {{ .Data.store }} todavía te espera. Enseña este código en la caja: solo sirve una vez.",
    why: "Este es el único recordatorio de este premio. Tu dirección se dio para encontrarlo; aquí no sirve para ninguna publicidad.",
  },
  held: {
    subject: "Tu premio en {{ .Data.store }} se está comprobando",
    preview: "No se ha perdido nada: por ahora no hay nada que hacer.",
    title: "Un poco más de paciencia",
    text: "{{ .Data.store }} está comprobando tu premio{{ if .Data.prize }} «{{ .Data.prize }}»{{ end }} antes de entregarlo. No se ha perdido nada: guarda tu código.",
    next: "En cuanto vuelva a ser válido te escribiremos, y tendrás otros tantos días más para disfrutarlo.",
  },
  cancelled: {
    subject: "Tu premio en {{ .Data.store }} se ha anulado",
    preview: "¿Un error? Habla con el equipo de la tienda.",
    title: "Este premio se ha anulado",
    text: "Tras una comprobación, {{ .Data.store }} ha anulado el premio{{ if .Data.prize }} «{{ .Data.prize }}»{{ end }}: su código ya no es válido.",
    next: "¿Es un error? Lo sentimos. Enseña tu código al equipo de la tienda: te lo puede devolver.",
  },
  released: {
    subject: "Tu premio en {{ .Data.store }} vuelve a ser válido",
    preview: "La comprobación ha terminado: tu código te espera.",
    title: "Tu premio te espera",
    text: "{{ .Data.store }} ha terminado su comprobación: tu premio{{ if .Data.prize }} «{{ .Data.prize }}»{{ end }} vuelve a ser válido. ¡Gracias por tu paciencia! Enseña este código en la caja: solo sirve una vez.",
  },
  answer: {
    subject: "{{ .Data.store }} te responde",
    preview: "Una respuesta a la opinión que dejaste.",
    title: "{{ .Data.store }} te responde",
    free: "Este mensaje no espera nada a cambio: no tienes que cambiar ni retirar ninguna opinión pública.",
  },
  gesture: {
    subject: "{{ .Data.store }} te responde, con un detalle",
    preview: "Una respuesta a tu opinión y un código para enseñar en la caja.",
    title: "{{ .Data.store }} te responde",
    text: "{{ .Data.store }} ha pensado en ti: enseña este código en la caja. Solo sirve una vez.",
    free: "Este detalle no espera nada a cambio: no tienes que cambiar ni retirar ninguna opinión pública.",
  },
} satisfies Wording<typeof french>;
