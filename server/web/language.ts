import type { IncomingMessage } from "node:http";
import { parse, serialize } from "hono/utils/cookie";
import { FIRST_LANGUAGE, type Language, languageSchema } from "#domain/text/languages.ts";

/** Headers on which the language of a page depends. */
export const LANGUAGE_HEADERS = "accept-language, cookie";

/** Name of the choice, in an address (`?lang=en`) and in the cookie that keeps it. */
const LANGUAGE_PARAMETER = "lang";

/** How long a choice is kept, in seconds: a year. */
export const CHOICE_LIFE_S = 365 * 24 * 60 * 60;

/** The language of a request: the one that was chosen before, else the one that the browser asks for. */
export function languageOf({ headers }: IncomingMessage): Language {
  const cookies = parse(headers.cookie ?? "", LANGUAGE_PARAMETER);
  const chosen = languageSchema.safeParse(cookies[LANGUAGE_PARAMETER]);
  return chosen.success ? chosen.data : preferredLanguage(headers["accept-language"]);
}

/** The best of our languages by an `Accept-Language` header; French where it names none of them. */
export function preferredLanguage(header: string | undefined): Language {
  let best: { language: Language; quality: number } | null = null;
  for (const part of header?.split(",") ?? []) {
    // An expression that skips spaces takes the square of their number, and a stranger writes this header.
    const [range = "", ...parameters] = part
      .toLowerCase()
      .split(";")
      .map((piece) => piece.trim());
    const language = languageSchema.safeParse(range.split("-")[0]);
    if (!language.success) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    // Of two that are as good, the first counts.
    if (quality > (best?.quality ?? 0) && quality <= 1) best = { language: language.data, quality };
  }
  return best?.language ?? FIRST_LANGUAGE;
}

/**
 * Language that a visitor chose on the page, and the address to come back to; null without a
 * choice.
 */
export function choiceOf(
  { headers }: IncomingMessage,
  pathname: string,
  query: URLSearchParams,
): { language: Language; back: string } | null {
  const chosen = languageSchema.safeParse(query.get(LANGUAGE_PARAMETER));
  if (!chosen.success) return null;
  const kept = new URLSearchParams(query);
  // The links of a page name the language alone: the rest of its address is in the referrer.
  const { referer = "" } = headers;
  const from = query.size === 1 && URL.canParse(referer) ? new URL(referer) : null;
  if (from?.pathname === pathname) {
    for (const [name, value] of from.searchParams) kept.append(name, value);
  }
  kept.delete(LANGUAGE_PARAMETER);
  return { language: chosen.data, back: kept.size > 0 ? `${pathname}?${kept}` : pathname };
}

/** The `Set-Cookie` header that keeps a choice. */
export function cookieOf(language: Language, isSecure: boolean): string {
  return serialize(LANGUAGE_PARAMETER, language, {
    path: "/",
    maxAge: CHOICE_LIFE_S,
    sameSite: "Lax",
    httpOnly: true,
    secure: isSecure,
  });
}
