/** Notice of the Italian rules: the French text governs. */
export function translationNotice() {
  return {
    text: "Questa è una traduzione, a titolo informativo. In caso di dubbio fa fede il solo testo francese.",
    original: "Leggi il testo francese",
  };
}
