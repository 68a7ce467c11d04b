import * as z from "zod/mini";
import { MAX_COUNT, NAME_MAX_LENGTH, UNLIMITED_STOCK } from "#domain/rules/constants.ts";
import type { PointsItem } from "#domain/schemas/points.ts";
import type { Translations } from "#domain/text/merchant-words.ts";
import { seenText } from "#domain/text/seen-text.ts";
import {
  NO_TRANSLATIONS,
  type TranslationValues,
  toTranslations,
  toTranslationValues,
  translationValues,
} from "../../../lib/translation-values.ts";
import { isWhole, typedNumber } from "../../../lib/typed-number.ts";
import { pointsCopy } from "./points.copy.ts";

const { rules } = pointsCopy.form;

/** Values of the form: texts, as they are typed. */
export type PointsValues = {
  name: string;
  cost: string;
  stock: string;
  /** Of its name. */
  translations: TranslationValues;
};

/** Schema of the form. */
export const pointsSchema = z.object({
  name: z.string().check(
    z.refine((typed) => seenText(typed) !== "", rules.name),
    z.maxLength(NAME_MAX_LENGTH, rules.nameTooLong),
  ),
  translations: translationValues(NAME_MAX_LENGTH, rules.nameTooLong),
  cost: z.string().check(z.refine((typed) => isWhole(typed, 1, MAX_COUNT), rules.cost)),
  stock: z
    .string()
    .check(z.refine((typed) => typed.trim() === "" || isWhole(typed, 0, MAX_COUNT), rules.stock)),
});

/**
 * Payload of a form that passed the schema: columns of the table; the stock only when it was
 * edited.
 */
export type PointsWrite = {
  name: string;
  cost: number;
  translations: Translations;
  stock?: number;
};

export function toWrite(
  { name, cost, stock, translations }: PointsValues,
  isStockTouched: boolean,
): PointsWrite {
  return {
    name: seenText(name),
    cost: typedNumber(cost),
    translations: toTranslations(translations),
    ...(isStockTouched && { stock: stock.trim() === "" ? UNLIMITED_STOCK : typedNumber(stock) }),
  };
}

/** The form of what exists; of nothing, an empty one. */
export function toValues(item: PointsItem | null): PointsValues {
  if (item === null) return { name: "", cost: "", stock: "", translations: NO_TRANSLATIONS };
  return {
    name: item.name,
    cost: String(item.cost),
    translations: toTranslationValues(item.translations),
    stock: item.stock === UNLIMITED_STOCK ? "" : String(item.stock),
  };
}
