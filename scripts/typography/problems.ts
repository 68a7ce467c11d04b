import type { Language } from "#domain/text/languages.ts";

/** Texts of the specification with a sign that touches its word: they stay to the letter. */
const TOUCHING = /^(?:Oops!|Erreur(?: [^:]+)?:|Organisation non trouvée\. Erreur:)/;

/** First letters of words that have an accent in French, whether they begin a sentence or not. */
const ACCENTED =
  /(?<![\p{L}\p{N}])(?:E(?=tat|tape|tabl|tes\b|tiez|toil|tud|tiquet|tend|tran|cr[aio]|qui[pv]|chan|che[ca]|cout|cono|gal|dit|lev|limin|mett|mis|nerg|nonc|p[au]i|pargn|val|v[eé]n|vit|lectr)|Ca(?=\s)|A(?=\s+(?:la|le|l['’]|partir|chaque|propos|votre|tout|bient|vous|nous|quel|qui|son|sa|ses|un|une|\d)(?![\p{L}])))/u;

/** Problem of a text, beyond those that the build mends by itself (`typeset`); null for none. */
export function problemIn(text: string, language: Language): string | null {
  // Code that a page shows.
  if (text.includes('"')) return null;
  if (language !== "fr") {
    return language !== "es" && /\p{L}[ \u00a0\u202f][?!;:](?:\s|$)/u.test(text)
      ? "a space before a sign"
      : null;
  }
  if (ACCENTED.test(text)) return "a capital without its accent";
  if (/[\p{L}\p{N})»](?:[!;](?:\s|$)|\?(?:\s|$)|:\s|»)|«(?=[\p{L}\p{N}])/u.test(text)) {
    return TOUCHING.test(text) ? null : "a sign that touches its word";
  }
  return null;
}
