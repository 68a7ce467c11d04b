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
      hint: "Geben Sie die sechs Ziffern ein, die an der Kasse stehen. Sie wechseln alle 30 Sekunden. Ein Kauf ist nicht nötig.",
    },
    word: {
      label: "Wort des Tages",
      hint: "Geben Sie das Wort ein, das an der Theke steht. Ein Kauf ist nicht nötig.",
    },
    receipt: {
      label: "Die letzten 4 Ziffern Ihres Kassenbons",
      hint: "Ohne Kassenbon nennt Ihnen das Team auf Wunsch vier Ziffern.",
    },
  },
  scanned: "Notiert: Sie sind vor Ort.",
  notScanned: "Dieser Code hat gewechselt. Scannen Sie den Bildschirm der Kasse noch einmal.",
  notSent: "Gerade keine Verbindung. Scannen Sie den Bildschirm der Kasse noch einmal.",
} satisfies Wording<typeof french>;
