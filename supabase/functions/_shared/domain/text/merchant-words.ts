import * as z from "zod/mini";
import { FIRST_LANGUAGE, LANGUAGES, type Language } from "./languages.ts";

/** Languages of the phone pages into which a merchant may translate their own texts, in the order of their fields. */
export const OTHER_LANGUAGES = LANGUAGES.filter((language) => language !== FIRST_LANGUAGE);
export type OtherLanguage = Exclude<Language, typeof FIRST_LANGUAGE>;

/** Translations of a text into other languages; a missing one was not made. */
export const translations = z.object({
  en: z.optional(z.string()),
  de: z.optional(z.string()),
  es: z.optional(z.string()),
  it: z.optional(z.string()),
  nl: z.optional(z.string()),
} satisfies Record<OtherLanguage, unknown>);
export type Translations = z.infer<typeof translations>;

/** Translations of a campaign's texts: answer of the SQL function `private.campaign_words`. */
export const merchantWords = z.array(z.object({ text: z.string(), translations }));
type MerchantWords = z.infer<typeof merchantWords>;

/** Texts in one language: each with what it is there. */
export type SaidWords = string[][];

/** Translations into a language; none in French, since texts are written in it. */
export function wordsIn(words: MerchantWords, language: Language): SaidWords {
  if (language === FIRST_LANGUAGE) return [];
  return words.flatMap(({ text, translations: { [language]: said } }) =>
    said === undefined ? [] : [[text, said]],
  );
}

/** A text in the language of the words, else as it is. */
export function say(words: SaidWords | undefined, text: string): string {
  return words?.find(([own]) => own === text)?.[1] ?? text;
}
