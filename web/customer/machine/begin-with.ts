import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { type Failure, fetchCampaign } from "../api.ts";
import { shellCopy } from "../shell/page-shell.copy.ts";
import type { Machine } from "./machine.ts";

type CampaignEvent =
  | { type: "campaign_loaded"; campaign: PublicCampaign }
  | { type: "campaign_failed"; failure: Failure };

type Beginning = {
  slug: string;
  machine: Pick<Machine<unknown, CampaignEvent>, "send">;
  begin(campaign: PublicCampaign): void;
};

/** Begins a journey with the campaign in the page, or, in a static deployment, with the one that is fetched. */
export function beginWith(given: PublicCampaign | null, { slug, machine, begin }: Beginning): void {
  if (given !== null) {
    begin(given);
    return;
  }
  fetchCampaign(slug, shellCopy.language).then((answer) => {
    if (answer.ok) {
      machine.send({ type: "campaign_loaded", campaign: answer.value });
      begin(answer.value);
    } else {
      machine.send({ type: "campaign_failed", failure: answer.failure });
    }
  });
}
