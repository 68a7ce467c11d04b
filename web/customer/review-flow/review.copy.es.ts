import type { Wording } from "#domain/text/wording.ts";
import type { reviewCopy as french } from "./review.copy.ts";

/** Spanish of the review page after its first step. */
export const reviewCopy = {
  rating: {
    title: "¿Qué tal tu visita?",
    hint: "Toca una estrella y ya está enviado.",
    group: "Tu nota, de 1 a 5 estrellas",
    lowest: "Decepcionante",
    highest: "Perfecta",
    sending: "Enviando tu opinión…",
    kept: (rating) => `Tu nota, ${rating} de 5, está guardada aquí.`,
    editDetails: "Cambiar mis datos",
  },
  google: {
    title: "Gracias. ¿Y si se lo cuentas a todos?",
    intro: (store) =>
      `Una reseña pública ayuda a ${store} y a quienes buscan un buen sitio. Tus posibilidades en el juego siguen siendo las mismas.`,
    leave: "Dejar una reseña pública",
    where: (host) => `En ${host}, en otra pestaña`,
    skip: "Continuar sin reseña pública",
  },
  feedback: {
    title: "¿Qué se podría mejorar?",
    intro: (store) => `${store}: tu mensaje va directo al equipo. No se publica.`,
    label: "Tu mensaje",
    missing: (count) => (count === 1 ? "Falta 1 carácter" : `Faltan ${count} caracteres`),
    enough: "Ya está bien, puedes enviarlo.",
    submit: "Enviar",
  },
  ready: {
    title: "Te toca girar la ruleta",
    titleResting: "Gracias por tu opinión",
    saved: "Gracias, tu opinión está guardada.",
    blind: "No cambia nada en tus posibilidades: solo decide el azar.",
    opened: (host) => `La página de reseñas públicas, en ${host}, se abre en otra pestaña.`,
    play: "Girar la ruleta",
    leave: "Dejar una reseña pública",
    resting: "La ruleta está descansando",
    restingHint: "Vuelve pronto a probar suerte.",
  },
  restart: "¿Nueva visita? Empezar de nuevo",
} satisfies Wording<typeof french>;
