import * as z from "zod/mini";
import {
  OTHER_LANGUAGES,
  type OtherLanguage,
  type Translations,
} from "#domain/text/merchant-words.ts";
import { seenText } from "#domain/text/seen-text.ts";

/** Translations while they are typed: a text for each language, blank where there is none. */
export type TranslationValues = Record<OtherLanguage, string>;

/** Values of a form without translations. */
export const NO_TRANSLATIONS: TranslationValues = { en: "", de: "", es: "", it: "", nl: "" };

/** Schema of a form's translations: `most` characters each. */
export function translationValues(most: number, tooLong: string) {
  const text = z.string().check(z.overwrite(seenText), z.maxLength(most, tooLong));
  return z.object({ en: text, de: text, es: text, it: text, nl: text });
}

/** Form values of stored translations. */
export function toTranslationValues(stored: Translations): TranslationValues {
  const { en = "", de = "", es = "", it = "", nl = "" } = stored;
  return { en, de, es, it, nl };
}

/** Stored translations of a form: those that were filled in. */
export function toTranslations(values: TranslationValues): Translations {
  const filled = OTHER_LANGUAGES.map((language) => [language, seenText(values[language])] as const);
  return Object.fromEntries(filled.filter(([, text]) => text !== ""));
}
