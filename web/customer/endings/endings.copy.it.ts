import type { Wording } from "#domain/text/wording.ts";
import type { endingsCopy as french } from "./endings.copy.ts";

/** Italian of how a visit ends: without a prize, or with one that was won before. */
export const endingsCopy = {
  leaveReview: "Lascia una recensione pubblica",
  where: (host) => `Su ${host}, in un'altra scheda`,
  againTomorrow: (day) => `La ruota ti aspetta di nuovo già domani, ${day}.`,
  again: (day) => `La ruota ti aspetta di nuovo da ${day}.`,
  nextVisit: "La ruota ti aspetta alla tua prossima visita.",
  last: "Questa ruota si ferma presto. Alla prossima.",
  played: {
    title: "Hai già giocato",
    somebodyElse: "Gioca un'altra persona",
  },
  calendar: {
    action: "Ricordami di tornare",
    file: "ruota.ics",
    title: (store) => `Ritentare la fortuna – ${store}`,
    text: (address) => `La ruota ti aspetta di nuovo: ${address}`,
  },
} satisfies Wording<typeof french>;
