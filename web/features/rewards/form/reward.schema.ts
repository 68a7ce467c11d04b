import * as z from "zod/mini";
import {
  CODE_TEMPLATE_MAX_LENGTH,
  DESCRIPTION_MAX_LENGTH,
  ITEM_MAX_LENGTH,
  MAX_COUNT,
  MAX_VALIDITY_DAYS,
  NAME_MAX_LENGTH,
  UNLIMITED_STOCK,
  USUAL_VALIDITY_DAYS,
} from "#domain/rules/constants.ts";
import { guessPicture } from "#domain/rules/guess-picture.ts";
import { type PrizePicture, prizePicture } from "#domain/rules/prize-picture.ts";
import type { RewardType } from "#domain/schemas/reward-type.ts";
import type { RewardRow } from "#domain/schemas/rewards.ts";
import { seenText } from "#domain/text/seen-text.ts";
import {
  NO_TRANSLATIONS,
  type TranslationValues,
  toTranslations,
  toTranslationValues,
  translationValues,
} from "../../../lib/translation-values.ts";
import { isAmount, isWhole, typedNumber } from "../../../lib/typed-number.ts";
import type { RewardWrite } from "../rewards.mutations.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";

const { rules } = rewardFormCopy;

/** Values of the form: texts, as they are typed. */
export type RewardValues = {
  name: string;
  description: string;
  type: RewardType;
  campaignId: string;
  discountPercent: string;
  item: string;
  points: string;
  pointsDays: string;
  value: string;
  stock: string;
  maxPerUser: string;
  validityDays: string;
  codeTemplate: string;
  /** `guessed` until the user chooses: what name and type suggest. */
  picture: PrizePicture | "none" | "guessed";
  /** Of its name. */
  translations: TranslationValues;
  /** Of the item; of no meaning while that is called as the reward is. */
  itemTranslations: TranslationValues;
};

/** Largest number that the column of the maximum per person holds. */
const MAX_PER_USER = 32_767;

/** A form that nothing was typed into (specification, section 5). */
export const EMPTY_REWARD: RewardValues = {
  name: "",
  description: "",
  type: "coupon",
  campaignId: "",
  discountPercent: "",
  item: "",
  points: "",
  pointsDays: "365",
  value: "",
  stock: "",
  maxPerUser: "1",
  validityDays: String(USUAL_VALIDITY_DAYS),
  codeTemplate: "",
  picture: "guessed",
  translations: NO_TRANSLATIONS,
  itemTranslations: NO_TRANSLATIONS,
};

const text = z.string();

function wholeNumber(min: number, max: number, message: string) {
  return text.check(z.refine((typed) => isWhole(typed, min, max), message));
}

function blankOr(isFine: (typed: string) => boolean, message: string) {
  return text.check(z.refine((typed) => typed.trim() === "" || isFine(typed), message));
}

const common = {
  name: text.check(
    z.refine((typed) => seenText(typed) !== "", rules.name),
    z.maxLength(NAME_MAX_LENGTH, rules.nameTooLong),
  ),
  description: text.check(z.maxLength(DESCRIPTION_MAX_LENGTH, rules.descriptionTooLong)),
  campaignId: text.check(z.minLength(1, rules.campaign)),
  value: blankOr((typed) => isAmount(typed, "€", 0, 1_000_000), rules.value),
  maxPerUser: wholeNumber(1, MAX_PER_USER, rules.maxPerUser),
  picture: z.union([prizePicture, z.enum(["none", "guessed"])]),
  translations: translationValues(NAME_MAX_LENGTH, rules.nameTooLong),
  itemTranslations: translationValues(ITEM_MAX_LENGTH, rules.itemTooLong),
};

const code = {
  validityDays: wholeNumber(1, MAX_VALIDITY_DAYS, rules.validityDays),
  codeTemplate: text.check(
    z.maxLength(CODE_TEMPLATE_MAX_LENGTH, rules.templateTooLong),
    z.refine((typed) => !/^\s*TEST/i.test(typed), rules.templateTest),
  ),
};

/** At least 1 when creating; when editing, -1 means unlimited and 0 used up. */
function stock(isNew: boolean) {
  return blankOr(
    (typed) => isWhole(typed, isNew ? 1 : UNLIMITED_STOCK, MAX_COUNT),
    isNew ? rules.stockNew : rules.stockEdit,
  );
}

/** Schema of the form, by type: fields of other types are not judged. */
export function rewardSchema(isNew: boolean) {
  const shared = { ...common, stock: stock(isNew) };
  return z.discriminatedUnion("type", [
    z.object({
      ...shared,
      ...code,
      type: z.literal("coupon"),
      discountPercent: blankOr((typed) => isAmount(typed, "%", 1, 100.01), rules.discountPercent),
      item: text,
      points: text,
      pointsDays: text,
    }),
    z.object({
      ...shared,
      ...code,
      type: z.literal("gift"),
      discountPercent: text,
      item: text.check(z.maxLength(ITEM_MAX_LENGTH, rules.itemTooLong)),
      points: text,
      pointsDays: text,
    }),
    z.object({
      ...shared,
      type: z.literal("points"),
      discountPercent: text,
      item: text,
      points: wholeNumber(1, MAX_COUNT, rules.points),
      pointsDays: blankOr((typed) => isWhole(typed, 1, MAX_VALIDITY_DAYS), rules.validityDays),
      validityDays: text,
      codeTemplate: text,
    }),
  ]);
}

/** The picture that a form selects; null for none. */
export function pictureOf({ picture, name, type }: RewardValues): PrizePicture | null {
  if (picture === "none") return null;
  return picture === "guessed" ? guessPicture(name, type) : picture;
}

function orNull(typed: string): string | null {
  return typed.trim() || null;
}

/** Whether the form names an item that is called otherwise than the reward. */
export function hasOwnItem({ type, name, item }: RewardValues): boolean {
  return type === "gift" && seenText(item) !== "" && seenText(item) !== seenText(name);
}

/** Details of the chosen type, those that were filled in; null when none was. */
function metadataOf(values: RewardValues): RewardWrite["metadata"] {
  const { type, discountPercent, item, points } = values;
  const days = type === "points" ? values.pointsDays : values.validityDays;
  const isFilled = (typed: string) => seenText(typed) !== "";
  const metadata = {
    ...(type === "coupon" &&
      isFilled(discountPercent) && { discountPercent: typedNumber(discountPercent) }),
    ...(type === "gift" && isFilled(item) && { item: seenText(item) }),
    ...(type === "points" && { points: typedNumber(points) }),
    ...(isFilled(days) && { validityDays: typedNumber(days) }),
  };
  return Object.keys(metadata).length > 0 ? metadata : null;
}

/** Payload of a form that passed the schema; the stock only when it was edited. */
export function toWrite(values: RewardValues, isStockTouched: boolean): RewardWrite {
  const { type } = values;
  return {
    name: seenText(values.name),
    description: orNull(values.description),
    type,
    reward_type: type,
    campaign_id: values.campaignId,
    value: values.value.trim() ? typedNumber(values.value) : null,
    code_template: type === "points" ? null : orNull(values.codeTemplate),
    max_per_user: typedNumber(values.maxPerUser),
    metadata: metadataOf(values),
    picture: pictureOf(values),
    translations: toTranslations(values.translations),
    item_translations: hasOwnItem(values) ? toTranslations(values.itemTranslations) : {},
    ...(isStockTouched && {
      stock: values.stock.trim() ? typedNumber(values.stock) : UNLIMITED_STOCK,
    }),
  };
}

function typed(number: number | null | undefined): string {
  return number === null || number === undefined ? "" : String(number).replace(".", ",");
}

/** Euros as one types them: cents in twos, or none. */
function amount(euros: number): string {
  return typed(euros).replace(/,(\d)$/, ",$10");
}

/** The form of a reward that exists. */
export function toValues(row: RewardRow): RewardValues {
  const { metadata } = row;
  return {
    name: row.name,
    description: row.description ?? "",
    type: row.type,
    campaignId: row.campaign_id,
    discountPercent: typed(metadata?.discountPercent),
    item: metadata?.item ?? "",
    points: typed(metadata?.points),
    pointsDays: row.type === "points" ? typed(metadata?.validityDays) : EMPTY_REWARD.pointsDays,
    value: row.value === null ? "" : amount(row.value),
    stock: row.stock === UNLIMITED_STOCK ? "" : typed(row.stock),
    maxPerUser: typed(row.max_per_user),
    validityDays: typed(
      (row.type === "points" ? null : metadata?.validityDays) ?? USUAL_VALIDITY_DAYS,
    ),
    codeTemplate: row.code_template ?? "",
    picture: row.picture ?? "none",
    translations: toTranslationValues(row.translations),
    itemTranslations: toTranslationValues(row.item_translations),
  };
}

/** Eight signs as the draw gives them, always the same, so that the example holds still. */
const RANDOM = "7K3M9QXA";

/** A code that a template leads to: {random} becomes 8 signs, appended when the template lacks it. */
export function codeExample(template: string): string {
  const trimmed = template.trim();
  if (!trimmed) return `WIN${RANDOM}`;
  return trimmed.includes("{random}")
    ? trimmed.replaceAll("{random}", RANDOM)
    : `${trimmed}-${RANDOM}`;
}
