import * as z from "zod/mini";
import { DESCRIPTION_MAX_LENGTH, MAX_COUNT, NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import { TRADES } from "#domain/rules/trade-wheels.ts";
import { seenText } from "#domain/text/seen-text.ts";
import { campaignsCopy } from "./campaigns.copy.ts";

const copy = campaignsCopy.create;

/** Origins of a new campaign's wheel. */
export const ORIGINS = ["empty", "template", "copy"] as const;

/** Stock of each reward: that of a copy is what is left of it, without end, or a number; shared, both have one. */
export const STOCKS = ["left", "unlimited", "count", "shared"] as const;

function isStock(text: string): boolean {
  return /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_COUNT;
}

/** A new campaign, as its form gives it; days are `2026-12-24`, or blank. */
export const campaignForm = z
  .object({
    name: z
      .string()
      .check(
        z.overwrite(seenText),
        z.minLength(1, copy.nameRequired),
        z.maxLength(NAME_MAX_LENGTH, copy.tooLong),
      ),
    description: z.string().check(z.trim(), z.maxLength(DESCRIPTION_MAX_LENGTH, copy.tooLong)),
    storeId: z.string().check(z.minLength(1, copy.storeRequired)),
    startsOn: z.string(),
    endsOn: z.string(),
    active: z.boolean(),
    origin: z.enum(ORIGINS),
    trade: z.enum(TRADES),
    /** Edited wheel of the template, as the feature of the wheel reads it. */
    wheel: z.unknown(),
    sourceId: z.string(),
    stock: z.enum(STOCKS),
    /** Digits, typed with spaces too: « 1 000 ». */
    stockCount: z.string().check(z.overwrite((text) => text.replaceAll(/\s/g, ""))),
  })
  .check(
    z.refine(({ startsOn, endsOn }) => !startsOn || !endsOn || startsOn <= endsOn, {
      error: copy.endsBefore,
      path: ["endsOn"],
    }),
    z.refine(({ origin, sourceId }) => origin !== "copy" || sourceId !== "", {
      error: copy.origin.sourceRequired,
      path: ["sourceId"],
    }),
    z.refine(
      ({ origin, stock, stockCount }) =>
        origin !== "copy" || stock !== "count" || isStock(stockCount),
      { error: copy.origin.stockRequired, path: ["stockCount"] },
    ),
  );
export type CampaignForm = z.infer<typeof campaignForm>;
