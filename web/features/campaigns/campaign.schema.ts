import * as z from "zod/mini";
import { NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import { campaignsCopy } from "./campaigns.copy.ts";

const copy = campaignsCopy.create;

/** Longest description, as the database bounds it. */
const DESCRIPTION_MAX_LENGTH = 2000;

/** A new campaign, as its form gives it; days are `2026-12-24`, or blank. */
export const campaignForm = z
  .object({
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, copy.nameRequired),
        z.maxLength(NAME_MAX_LENGTH, copy.tooLong),
      ),
    description: z.string().check(z.trim(), z.maxLength(DESCRIPTION_MAX_LENGTH, copy.tooLong)),
    storeId: z.string().check(z.minLength(1, copy.storeRequired)),
    startsOn: z.string(),
    endsOn: z.string(),
    active: z.boolean(),
  })
  .check(
    z.refine(({ startsOn, endsOn }) => !startsOn || !endsOn || startsOn <= endsOn, {
      error: copy.endsBefore,
      path: ["endsOn"],
    }),
  );
export type CampaignForm = z.infer<typeof campaignForm>;
