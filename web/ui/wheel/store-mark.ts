/** The letter of a store on the hub of its wheel: its own, not its article's. */
export function storeMark(name: string): string {
  const [word = ""] = name.trim().split(/\s+/);
  return (Array.from(word)[0] ?? "").toLocaleUpperCase("fr");
}
