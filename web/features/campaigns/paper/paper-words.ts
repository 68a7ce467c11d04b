import type { Language } from "#domain/text/languages.ts";
import type { Wording } from "#domain/text/wording.ts";
import { paperCopy as german } from "./paper.copy.de.ts";
import { paperCopy as english } from "./paper.copy.en.ts";
import { paperCopy as spanish } from "./paper.copy.es.ts";
import { paperCopy as italian } from "./paper.copy.it.ts";
import { paperCopy as dutch } from "./paper.copy.nl.ts";
import { paperCopy as french } from "./paper.copy.ts";

export type PaperWords = Wording<typeof french>;

/**
 * Printed words of each language: all of them come with the press, which is two hundred times as
 * heavy.
 */
export const PAPER_WORDS: Readonly<Record<Language, PaperWords>> = {
  fr: french,
  en: english,
  de: german,
  es: spanish,
  it: italian,
  nl: dutch,
};
