import type { Wording } from "#domain/text/wording.ts";
import type { presenceCopy as french } from "./presence.copy.ts";

/** German of the proof that somebody is in the store. */
export const presenceCopy = {
  title: "Sind Sie vor Ort?",
  submit: "Bestätigen und drehen",
  empty: "Füllen Sie das aus, um am Rad zu drehen.",
  kinds: {
    turning: {
      label: "Code an der Kasse",
      hint: "Sechs Ziffern, die alle 30 Sekunden wechseln. Ein Kauf ist nicht nötig.",
    },
    word: {
      label: "Wort des Tages",
      hint: "Es steht an der Theke. Ein Kauf ist nicht nötig.",
    },
    receipt: {
      label: "Die letzten 4 Ziffern Ihres Kassenbons",
      hint: "Ohne Kauf nennt Ihnen das Team auf Wunsch vier Ziffern.",
    },
  },
  scanned: "Notiert: Sie sind vor Ort.",
  notScanned: "Dieser Code hat gewechselt. Scannen Sie den Bildschirm der Kasse noch einmal.",
} satisfies Wording<typeof french>;
