import * as z from "zod/mini";
import { brand } from "./brand.ts";
import { openWheel } from "./public-organization.ts";
import { publicPlace } from "./public-page.ts";

/** A campaign that cannot be played now, and what is open instead, in the language of the page (`open-wheels.ts`). */
export const closedCampaign = z.object({
  state: z.enum(["upcoming", "paused", "ended"]),
  slug: z.string(),
  name: z.string(),
  store: publicPlace,
  organization: z.object({ name: z.string(), slug: z.string() }),
  starts_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
  /** Whether phones may still keep a prize of it. */
  was_played: z.boolean(),
  open_wheels: z.array(openWheel),
  white_label: z.boolean(),
  /** The merchant's logo and colour in its place; null without either. */
  brand: z.nullable(brand),
});
export type ClosedCampaign = z.infer<typeof closedCampaign>;
