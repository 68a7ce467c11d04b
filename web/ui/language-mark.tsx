import { FIRST_LANGUAGE, type Language } from "#domain/text/languages.ts";
import { formatLanguage } from "../lib/format.ts";

/** The language of a person who does not read French: « EN », in full for screen readers. Nothing for French. */
export function LanguageMark({ locale }: { locale: Language | null }) {
  if (locale === null || locale === FIRST_LANGUAGE) return null;
  const name = formatLanguage(locale);
  return (
    <span
      title={name}
      className="rounded bg-line/70 px-1.5 py-0.5 text-xs font-semibold text-ink uppercase"
    >
      <span aria-hidden="true">{locale}</span>
      <span className="sr-only">{name}</span>
    </span>
  );
}
