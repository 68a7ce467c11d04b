/** What a translation of the rules says of itself; null in French, whose text governs. */
export function translationNotice(): { text: string; original: string } | null {
  return null;
}
