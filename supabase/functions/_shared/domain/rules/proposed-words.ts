import type { OtherLanguage, Translations } from "../text/merchant-words.ts";
import type { ProposedTexts } from "./proposed-texts.ts";
import { tradeWheelsCopy as german } from "./trade-wheels.copy.de.ts";
import { tradeWheelsCopy as english } from "./trade-wheels.copy.en.ts";
import { tradeWheelsCopy as spanish } from "./trade-wheels.copy.es.ts";
import { tradeWheelsCopy as italian } from "./trade-wheels.copy.it.ts";
import { tradeWheelsCopy as dutch } from "./trade-wheels.copy.nl.ts";
import { tradeWheelsCopy as french } from "./trade-wheels.copy.ts";
import { TRADES } from "./trade-wheels.ts";

const TEXTS: Readonly<Record<OtherLanguage, ProposedTexts>> = {
  en: english,
  de: german,
  es: spanish,
  it: italian,
  nl: dutch,
};

/** Texts of one language, always in the same order. */
const listed = (texts: ProposedTexts): readonly string[] => [
  ...TRADES.flatMap((trade) => [...texts[trade].prizes]),
  ...texts.losing,
];

/** A text without unnoticed differences of typing: kinds of spaces and apostrophes, capitals. */
const plain = (text: string) =>
  text.trim().replaceAll(/\s+/g, " ").replaceAll("\u2019", "'").toLowerCase();

/** Translations of a proposed text into the other languages; none of a text that was not proposed. */
export function proposedTranslations(text: string): Translations {
  const wanted = plain(text);
  const place = listed(french).findIndex((proposed) => plain(proposed) === wanted);
  if (place < 0) return {};
  const said = (language: OtherLanguage) => listed(TEXTS[language])[place];
  return { en: said("en"), de: said("de"), es: said("es"), it: said("it"), nl: said("nl") };
}

/** The segments of a new wheel with the translations of what was proposed: a text that is a prize's name has them with the prize. */
export function translateProposal<
  Prize extends object,
  Segment extends { label: string; prize: Prize | null },
>(segments: readonly Segment[]) {
  return segments.map((segment) => {
    const translations = proposedTranslations(segment.label);
    return segment.prize === null
      ? { ...segment, translations }
      : { ...segment, prize: { ...segment.prize, translations } };
  });
}
