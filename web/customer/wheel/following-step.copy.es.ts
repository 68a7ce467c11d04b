import type { Wording } from "#domain/text/wording.ts";
import type { followingStepCopy as french } from "./following-step.copy.ts";

/** Spanish of the steps around the wheel: the contact before it, the result after it. */
export const followingStepCopy = {
  sound: "Sonido de la ruleta",
  testAgain: "Probar otra vez",
  contact: {
    title: "¿Cómo podemos contactarte?",
    intro: "Basta con un correo o un teléfono. Sirve para recuperar tu premio.",
    submit: "Continuar",
  },
  win: {
    title: (firstName, prize) =>
      `¡Enhorabuena${firstName === "" ? "" : `, ${firstName}`}! ${prize.replace(/[\s!]+$/, "")}`,
    keep: "Guardar mi premio",
    kept: "Guardado en este teléfono: vuelve a esta página para verlo de nuevo.",
    notKept: "Apunta este código o haz una captura de pantalla: este navegador no guarda nada.",
    credited: "Tus puntos ya están sumados. No hay ningún código que enseñar.",
  },
  loss: {
    title: "Esta vez no",
    thanks: "Gracias por jugar.",
  },
} satisfies Wording<typeof french>;
