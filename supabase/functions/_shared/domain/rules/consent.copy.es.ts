import type { Wording } from "../text/wording.ts";
import type { consentWordings as french } from "./consent.copy.ts";

/** Spanish of each sentence of consent, in the order of the French ones: their numbers are the same. */
export const consentWordings = [
  (organizer) => `Acepto recibir las ofertas de ${organizer} (opcional).`,
] satisfies Wording<typeof french>;

/** The sentence that stands beside the box now. */
export function consentWording(organizer: string): string {
  return consentWordings.at(-1)?.(organizer) ?? "";
}
