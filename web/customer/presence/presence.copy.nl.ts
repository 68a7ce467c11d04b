import type { Wording } from "#domain/text/wording.ts";
import type { presenceCopy as french } from "./presence.copy.ts";

/** Dutch of the proof that somebody is in the store. */
export const presenceCopy = {
  title: "Ben je in de winkel?",
  submit: "Bevestigen en draaien",
  empty: "Vul dit in om aan het rad te draaien.",
  kinds: {
    turning: {
      label: "Code bij de kassa",
      hint: "Neem de zes cijfers over die bij de kassa staan. Ze veranderen elke 30 seconden. Er is geen aankoop nodig.",
    },
    word: {
      label: "Woord van de dag",
      hint: "Neem het woord over dat bij de toonbank hangt. Er is geen aankoop nodig.",
    },
    receipt: {
      label: "Laatste 4 cijfers van je kassabon",
      hint: "Zonder kassabon geeft het team je op verzoek vier cijfers.",
    },
  },
  scanned: "Genoteerd: je bent in de winkel.",
  notScanned: "Deze code is veranderd. Scan het scherm van de kassa opnieuw.",
  notSent: "Even geen verbinding. Scan het scherm van de kassa opnieuw.",
} satisfies Wording<typeof french>;
