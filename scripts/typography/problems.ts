import type { Language } from "#domain/text/languages.ts";

/** Texts of the specification with a sign that touches its word: they stay to the letter. */
const TOUCHING = /^(?:Oops!|Erreur(?: [^:]+)?:|Organisation non trouvée\. Erreur:)/;

/** First letters of words that have an accent in French, whether they begin a sentence or not. */
const ACCENTED =
  /(?<![\p{L}\p{N}])(?:E(?=tat|tape|tabl|tes\b|tiez|toil|tud|tiquet|tend|tran|cr[aio]|qui[pv]|chan|che[ca]|cout|cono|gal|dit|lev|limin|mett|mis|nerg|nonc|p[au]i|pargn|val|v[eé]n|vit|lectr)|Ca(?=\s)|A(?=\s+(?:la|le|l['’]|partir|chaque|propos|votre|tout|bient|vous|nous|quel|qui|son|sa|ses|un|une|\d)(?![\p{L}])))/u;

/** A preposition that may meet an article (« de Le Comptoir »), or « de » that may meet a vowel (« de Amandine »). */
const BEFORE_A_NAME =
  /(?<![\p{L}])(?:(?:d[eu]|à|au|la|le) \{\w*(?:store|shop|organi[sz](?:er|ation))|de \{\w*(?:name|email|label|inviter|reward|prize))\}/iu;

/**
 * Whether a text may join an article or « de » to a name that it shows, written as `{store}`. People type the name, so a
 * text leads with it, or names the thing before it: « Le Comptoir : … », « l'organisation Le Comptoir ».
 */
export function joinsName(text: string): boolean {
  return BEFORE_A_NAME.test(text);
}

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
