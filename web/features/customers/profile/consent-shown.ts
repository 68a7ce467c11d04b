import { consentWordings as german } from "#domain/rules/consent.copy.de.ts";
import { consentWordings as english } from "#domain/rules/consent.copy.en.ts";
import { consentWordings as spanish } from "#domain/rules/consent.copy.es.ts";
import { consentWordings as italian } from "#domain/rules/consent.copy.it.ts";
import { consentWordings as dutch } from "#domain/rules/consent.copy.nl.ts";
import { consentWordings as french } from "#domain/rules/consent.copy.ts";
import type { CustomerDetail } from "#domain/schemas/customers.ts";
import { FIRST_LANGUAGE, type Language } from "#domain/text/languages.ts";

const WORDINGS: Readonly<Record<Language, readonly ((organizer: string) => string)[]>> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
};

/** The sentence that a customer agreed to, in the language in which they read it (French where that was not kept); null for a team's. */
export function consentShown({
  version,
  organizer,
  locale,
}: NonNullable<CustomerDetail["consent"]>): { sentence: string; language: Language } | null {
  const language = locale ?? FIRST_LANGUAGE;
  const wording = version === null ? undefined : WORDINGS[language][version - 1];
  return wording ? { sentence: wording(organizer ?? ""), language } : null;
}
