/** Notice of a translation of the rules; null in French, whose text governs. */
export function translationNotice(): { text: string; original: string } | null {
  return null;
}
