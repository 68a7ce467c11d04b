import * as z from "zod/mini";
import { brand } from "./brand.ts";

/** A campaign that runs, as a list of an organisation's wheels shows it. */
export const openWheel = z.object({
  slug: z.string(),
  name: z.string(),
  store_name: z.string(),
  /** Of the store: the last day is shown in its time zone. */
  timezone: z.string(),
  ends_at: z.nullable(z.string()),
});
export type OpenWheel = z.infer<typeof openWheel>;

/** The open campaigns of an organisation, in the language of the page (`open-wheels.ts`). */
export const publicOrganization = z.object({
  name: z.string(),
  slug: z.string(),
  white_label: z.boolean(),
  /** The merchant's logo and colour in its place; null without either. */
  brand: z.nullable(brand),
  campaigns: z.array(openWheel),
});
export type PublicOrganization = z.infer<typeof publicOrganization>;
