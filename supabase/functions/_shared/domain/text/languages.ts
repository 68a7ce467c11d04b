import * as z from "zod/mini";

/** Languages of the phone pages, in the order in which they are offered. */
export const LANGUAGES = ["fr", "en", "de", "es", "it", "nl"] as const;

export const languageSchema = z.enum(LANGUAGES);
export type Language = z.infer<typeof languageSchema>;

/** Language of the sources, and the fallback. */
export const FIRST_LANGUAGE = "fr";

/** Each language by its own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  fr: "Français",
  en: "English",
  de: "Deutsch",
  es: "Español",
  it: "Italiano",
  nl: "Nederlands",
};
