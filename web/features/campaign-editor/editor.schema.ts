import * as z from "zod/mini";
import {
  DESCRIPTION_MAX_LENGTH,
  NAME_MAX_LENGTH,
  PLAY_INTERVAL_MAX_DAYS,
  USUAL_TIMEZONE,
} from "#domain/rules/constants.ts";
import { type CampaignEditor, LABEL_MAX_LENGTH, WHEEL_TOTAL } from "#domain/schemas/campaigns.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { isSlug } from "#domain/text/slugify.ts";
import {
  NO_TRANSLATIONS,
  toTranslations,
  toTranslationValues,
  translationValues,
} from "../../lib/translation-values.ts";
import { zonedInstant, zonedLocal } from "../../lib/zoned-time.ts";
import { editorCopy } from "./editor.copy.ts";
import { total } from "./odds/share-out.ts";

const { rules } = editorCopy;

const segment = z.object({
  /** Tells the segments of the form apart, stored or not. */
  key: z.string(),
  id: z.nullable(z.string()),
  /** Blank of a segment that loses. */
  rewardId: z.string(),
  label: z
    .string()
    .check(
      z.overwrite(seenText),
      z.minLength(1, rules.label),
      z.maxLength(LABEL_MAX_LENGTH, rules.tooLong),
    ),
  color: z.string(),
  weight: z.number(),
  /** Of its text; missing where none was ever typed. */
  translations: z.optional(translationValues(LABEL_MAX_LENGTH, rules.tooLong)),
});
export type SegmentValues = z.infer<typeof segment>;

/** Whether a text is a whole number of days that the database takes. */
function isInterval(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= PLAY_INTERVAL_MAX_DAYS;
}

function required(max: number) {
  return z
    .string()
    .check(z.overwrite(seenText), z.minLength(1, rules.required), z.maxLength(max, rules.tooLong));
}

/** The form of a campaign; times are what the clock of its store shows, as `datetime-local` gives them, or blank. */
export const editorForm = z
  .object({
    name: required(NAME_MAX_LENGTH),
    /** Of the name. */
    translations: translationValues(NAME_MAX_LENGTH, rules.tooLong),
    slug: z.string().check(
      z.trim(),
      z.minLength(1, rules.required),
      z.refine((text) => text === "" || isSlug(text), rules.slugShape),
    ),
    storeId: z.string().check(z.minLength(1, rules.required)),
    active: z.boolean(),
    startsAt: z.string(),
    endsAt: z.string(),
    interval: z.string().check(z.trim(), z.refine(isInterval, rules.interval)),
    description: z.string().check(z.trim(), z.maxLength(DESCRIPTION_MAX_LENGTH, rules.tooLong)),
    /** Whether there is a wheel to draw at all: without rewards there is none. */
    hasWheel: z.boolean(),
    segments: z.array(segment),
  })
  .check(
    z.refine(({ startsAt, endsAt }) => !startsAt || !endsAt || startsAt <= endsAt, {
      error: rules.endsBefore,
      path: ["endsAt"],
    }),
    z.refine(({ hasWheel, segments }) => !hasWheel || wheelTotal(segments) === WHEEL_TOTAL, {
      path: ["hasWheel"],
    }),
  );
export type EditorValues = z.infer<typeof editorForm>;

/** Sum of a wheel's weights, in percent. */
export function wheelTotal(segments: readonly SegmentValues[]): number {
  return total(segments.map(({ weight }) => weight));
}

/** The campaign as its form shows it. */
export function toValues({ campaign, segments, stores, wheel }: CampaignEditor): EditorValues {
  const timezone = stores.find(({ id }) => id === campaign.store_id)?.timezone ?? USUAL_TIMEZONE;
  const local = (at: string | null) => (at ? zonedLocal(at, timezone) : "");
  const hasWheel = wheel !== "example";
  return {
    name: campaign.name,
    translations: toTranslationValues(campaign.translations),
    slug: campaign.slug,
    storeId: campaign.store_id,
    active: campaign.active,
    startsAt: local(campaign.starts_at),
    endsAt: local(campaign.ends_at),
    interval: String(campaign.play_interval_days),
    description: campaign.description ?? "",
    hasWheel,
    segments: hasWheel
      ? segments.map(({ id, reward_id, label, color, weight, translations }, place) => ({
          key: `${place}`,
          id,
          rewardId: reward_id ?? "",
          label,
          color,
          weight,
          translations: toTranslationValues(translations),
        }))
      : [],
  };
}

/** Payload of a save; the wheel only when it was edited. */
export function toWrite(values: EditorValues, initial: EditorValues, timezone: string) {
  const { name, slug, storeId, active, startsAt, endsAt, interval, description } = values;
  const isTouched = JSON.stringify(values.segments) !== JSON.stringify(initial.segments);
  return {
    p_name: name,
    p_translations: toTranslations(values.translations),
    p_slug: slug,
    p_store_id: storeId,
    p_active: active,
    p_play_interval_days: Number(interval),
    ...(description && { p_description: description }),
    ...(startsAt && { p_starts_at: zonedInstant(startsAt, timezone) }),
    ...(endsAt && { p_ends_at: zonedInstant(endsAt, timezone) }),
    ...(isTouched && {
      p_segments: values.segments.map(({ id, rewardId, label, color, weight, translations }) => ({
        id,
        reward_id: rewardId || null,
        label,
        color,
        weight,
        translations: toTranslations(translations ?? NO_TRANSLATIONS),
      })),
    }),
  };
}
export type CampaignWrite = ReturnType<typeof toWrite>;
