import { expect, test } from "vitest";
import type { CampaignEditor } from "#domain/schemas/campaigns.ts";
import { changesBetween } from "./changes.ts";

const before: CampaignEditor = {
  campaign: {
    id: "c",
    version: 1,
    name: "La roue",
    slug: "roue",
    description: null,
    store_id: "s",
    active: true,
    starts_at: null,
    ends_at: null,
    play_interval_days: 1,
    archived_at: null,
    translations: { en: "The wheel" },
  },
  wheel: "example",
  segments: [],
  rewards: [],
  stores: [],
};

test("a new name is one change, also of a campaign whose name is translated", () => {
  const after = { ...before, campaign: { ...before.campaign, name: "La roue d'hiver" } };
  expect(changesBetween(before, after)).toEqual([
    "Nom : « La roue » est devenu « La roue d'hiver »",
  ]);
});

test("a new translation is a change of its own", () => {
  const after = { ...before, campaign: { ...before.campaign, translations: { en: "Our wheel" } } };
  expect(changesBetween(before, after)).toEqual([
    "Traductions du nom : « en : The wheel » est devenu « en : Our wheel »",
  ]);
});
