import { LANGUAGES, type Language, languageNames, languageSchema } from "#domain/text/languages.ts";
import { shellCopy } from "./page-shell.copy.ts";

type LanguageSwitchProps = {
  /** Query of the address, which no server finds in the referrer. */
  search: string;
};

/** The same address in another language. */
function hrefOf(language: Language, search: string): string {
  const query = new URLSearchParams(search);
  query.set("lang", language);
  return `?${query}`;
}

/**
 * The page in other languages. Links, so that it works without a script: the server notes the choice and comes back to
 * the same address (`server/web/language.ts`). What was typed waits in the tab.
 */
export function LanguageSwitch({ search }: LanguageSwitchProps) {
  const shown = languageSchema.parse(shellCopy.language);
  const others = LANGUAGES.filter((language) => language !== shown);
  return (
    <details className="group text-base print:hidden">
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-1 pr-3 text-muted group-open:text-ink hover:text-violet">
        <svg
          viewBox="0 0 24 24"
          className="size-5 shrink-0"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M3 12h18M12 3c-6 6-6 12 0 18 6-6 6-12 0-18Zm0 0a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z" />
        </svg>
        <span className="sr-only">{shellCopy.switchLanguage}</span>
        {languageNames[shown]}
      </summary>
      <ul className="flex flex-wrap pl-6">
        {others.map((language) => (
          <li key={language}>
            <a
              href={hrefOf(language, search)}
              lang={language}
              hrefLang={language}
              rel="nofollow"
              className="flex min-h-11 min-w-11 items-center pr-4 text-muted hover:text-violet"
            >
              {languageNames[language]}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
