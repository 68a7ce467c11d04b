import { expect, it } from "vitest";
import { customerPage } from "./page-data.ts";
import { makeCampaign } from "./testing/campaign.ts";

const campaign = makeCampaign();
const kept = {
  kind: "kept",
  campaign_id: campaign.id,
  slug: "demo",
  store: { name: "Café des Lilas", timezone: "Europe/Paris" },
  white_label: false,
  brand: null,
  pictures: [{ id: campaign.id, soft: "M0 0Z", solid: "M1 1Z" }],
};

it.each([{ kind: "review", campaign }, { kind: "play", mode: "libre", campaign }, kept])(
  "what the server wrote into a page is read: $kind",
  (data) => {
    expect(customerPage.parse(data)).toEqual(data);
  },
);

it.each([
  { kind: "play", campaign },
  { kind: "review", campaign: null },
  { ...kept, campaign_id: "demo" },
  { kind: "another" },
])("what is none is refused: %j", (data) => {
  expect(customerPage.safeParse(data).success).toBe(false);
});
