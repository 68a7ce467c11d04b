import { LANGUAGES } from "#domain/text/languages.ts";
import { formatLanguage } from "../../lib/format.ts";

/** The languages of the phone pages, as choices of a select. */
export function LanguageOptions() {
  return LANGUAGES.map((language) => (
    <option key={language} value={language}>
      {formatLanguage(language)}
    </option>
  ));
}
