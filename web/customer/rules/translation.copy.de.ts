/** Notice of the German rules: the French text governs. */
export function translationNotice() {
  return {
    text: "Dies ist eine Übersetzung zu Ihrer Information. Im Zweifel gilt allein der französische Text.",
    original: "Den französischen Text lesen",
  };
}
