/** Notice of the English rules: the French text governs. */
export function translationNotice() {
  return {
    text: "This is a translation, for your information. In case of doubt, the French text alone governs.",
    original: "Read the French text",
  };
}
