/** Notice of the Dutch rules: the French text governs. */
export function translationNotice() {
  return {
    text: "Dit is een vertaling, ter informatie. Bij twijfel geldt alleen de Franse tekst.",
    original: "De Franse tekst lezen",
  };
}
