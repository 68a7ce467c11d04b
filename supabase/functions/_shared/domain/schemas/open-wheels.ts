import * as z from "zod/mini";
import type { Language } from "../text/languages.ts";
import { FIRST_LANGUAGE } from "../text/languages.ts";
import { translations } from "../text/merchant-words.ts";
import { type ClosedCampaign, closedCampaign } from "./closed-campaign.ts";
import { openWheel, type PublicOrganization, publicOrganization } from "./public-organization.ts";

/** A wheel as SQL answers it: its name comes with its translations. */
const storedWheel = z.extend(openWheel, { translations });
type StoredWheel = z.infer<typeof storedWheel>;

/** Answer of the SQL function `organization_page`. */
export const organizationPage = z.extend(publicOrganization, { campaigns: z.array(storedWheel) });

/** Answer of the SQL function `closed_campaign_page`. */
export const closedCampaignPage = z.extend(closedCampaign, { open_wheels: z.array(storedWheel) });

function wheelIn({ translations: said, ...wheel }: StoredWheel, language: Language) {
  return language === FIRST_LANGUAGE ? wheel : { ...wheel, name: said[language] ?? wheel.name };
}

/** An organisation as phones read it in a language. */
export function organizationIn(
  page: z.infer<typeof organizationPage>,
  language: Language,
): PublicOrganization {
  return { ...page, campaigns: page.campaigns.map((wheel) => wheelIn(wheel, language)) };
}

/** A campaign that is closed, as phones read it in a language. */
export function closedIn(
  page: z.infer<typeof closedCampaignPage>,
  language: Language,
): ClosedCampaign {
  return { ...page, open_wheels: page.open_wheels.map((wheel) => wheelIn(wheel, language)) };
}
