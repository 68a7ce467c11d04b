import { campaignStateCopy } from "#domain/rules/campaign-state.copy.ts";

/** States of a campaign (specification, section 2.13). */
export const campaignBadgesCopy = {
  active: campaignStateCopy.running,
  inactive: campaignStateCopy.inactive,
  scheduled: campaignStateCopy.scheduled,
  over: campaignStateCopy.over,
  archived: campaignStateCopy.archived,
  noPrize: "Rien à gagner",
  noPrizeText:
    "Sans récompense, la roue reste vide : active, cette campagne ne recueille que des avis.",
} as const;
