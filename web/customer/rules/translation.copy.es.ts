/** Notice of the Spanish rules: the French text governs. */
export function translationNotice() {
  return {
    text: "Esta es una traducción, a título informativo. En caso de duda, solo vale el texto francés.",
    original: "Leer el texto francés",
  };
}
