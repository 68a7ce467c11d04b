import type { CampaignState } from "./campaign-state.ts";

/** The states of a campaign, as badges and exports name them. */
export const campaignStateCopy = {
  running: "Actif",
  inactive: "Inactif",
  scheduled: "Programmée",
  over: "Terminée",
  archived: "Archivée",
} satisfies Record<CampaignState | "archived", string>;
