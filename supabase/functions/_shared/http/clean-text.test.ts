import { expect, it } from "vitest";
import { cleanLine, cleanText } from "./clean-text.ts";

it.each([
  ["a plain name", "Café de la Gare", "Café de la Gare"],
  ["blanks around it", "\u00a0\u3000 Café\t\u200b", "Café"],
  ["a line break", "Café\r\n  de la Gare\u2028Nord", "Café de la Gare Nord"],
  [
    "signs that turn the direction",
    "Remise \u202e%05\u202c et \u2067fin\u2069",
    "Remise %05 et fin",
  ],
  ["signs of no width", "Ca\u200bf\u2060é\ufeff\u00ad", "Café"],
  ["controls", "Ca\u0007f\u009bé\u007f", "Café"],
  ["letters and accents apart", "Cafe\u0301", "Café"],
  ["the space before French signs", "Café\u00a0: 5\u202f€", "Café\u00a0: 5\u202f€"],
  ["a joiner in Persian", "می\u200cخواهم", "می\u200cخواهم"],
  ["a joiner at the end in Malayalam", "അവന\u0d4d\u200d", "അവന\u0d4d\u200d"],
  ["an emoji of several", "👩\u200d🍳 Chef ❤\ufe0f\u200d🔥", "👩\u200d🍳 Chef ❤\ufe0f\u200d🔥"],
  ["a joiner in Latin and in Cyrillic", "Ca\u200dfé Ка\u200cфе", "Café Кафе"],
  [
    "the flag of a region",
    "🏴\u{e0067}\u{e0062}\u{e007f} pub",
    "🏴\u{e0067}\u{e0062}\u{e007f} pub",
  ],
  ["words hidden in tags", "Café\u{e0067}\u{e0062}", "Café"],
  ["a mark of direction in Hebrew", "בית\u200f!", "בית\u200f!"],
  ["a mark of direction in French", "Café\u200f!", "Café!"],
  ["a keycap", "1\ufe0f\u20e3 prix", "1\ufe0f\u20e3 prix"],
  ["a variant of a letter", "C\ufe0fafé", "Café"],
  ["a heap of accents", `Z${"\u0335".repeat(60)}oé`, `Z${"\u0335".repeat(4)}oé`],
  ["nothing to be seen", "\u3164\u2800\u200e\ufe0f", ""],
])("cleanLine cleans %s, once and for all", (_, typed, line) => {
  expect(cleanLine(typed)).toBe(line);
  expect(cleanLine(line)).toBe(line);
});

it("cuts the blanks at both ends of a text, and reads long runs of them in time", () => {
  expect(cleanText("\n\u200b Merci\n\n à tous \u2060\u00a0\n")).toBe("Merci\n\n à tous");
  expect(cleanText(" \u200b\n")).toBe("");
  const text = `a${" ".repeat(300_000)}b`;
  expect(cleanText(text)).toBe(text);
  expect(cleanLine(text)).toBe("a b");
});
