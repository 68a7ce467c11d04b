/**
 * The sentences beside the box with which customers agree to marketing, oldest first. Each consent keeps the number
 * of its own (`customers.consent_version`, from 1), so what somebody agreed to can be shown for ever: a sentence is
 * never changed, a new one is added, and `private.consent_version` goes up with it.
 */
export const consentWordings: readonly ((organizer: string) => string)[] = [
  (organizer) => `J'accepte de recevoir les offres de ${organizer} (facultatif).`,
];

/** The sentence that stands beside the box now. */
export function consentWording(organizer: string): string {
  return consentWordings.at(-1)?.(organizer) ?? "";
}
