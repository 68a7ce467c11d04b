import { describe, expect, it } from "vitest";
import type { Dashboard } from "#domain/back-office.ts";
import { mayOpen, type Screen } from "../../lib/screens.ts";
import { nextSteps } from "./next-steps.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const FIGURES = {
  scans: 12,
  reviews: 8,
  rating_sum: 36,
  five_star_reviews: 5,
  wins: 4,
  redemptions: 2,
};
const ID = "5f7c1f5e-6a39-4f0e-9a35-0a8d6c1d2b3a";

/** An organisation where all is well. */
const WELL: Dashboard = {
  limits: { max_active_campaigns: 3, monthly_spins: 100, max_users: 5 },
  used: { active_campaigns: 1, monthly_spins: 10, users: 2 },
  totals: FIGURES,
  last_30_days: FIGURES,
  previous_30_days: FIGURES,
  has_campaign: true,
  has_reward: true,
  todo: { bad_review: null, low_stock: [], empty_campaign: null, unlinked_store: null },
  advanced: null,
  activity: [],
  active_campaigns: [],
};

const BAD = {
  id: ID,
  at: "2026-11-21T10:00:00Z",
  rating: 1,
  name: "Léa Roy",
  customer_id: ID,
  campaign_id: ID,
  count: 1,
};

/** Everything that could be said of one organisation. */
const EVERYTHING: Partial<Dashboard> = {
  totals: { ...FIGURES, scans: 0 },
  used: { ...WELL.used, monthly_spins: 100 },
  todo: {
    bad_review: BAD,
    low_stock: [{ id: ID, name: "Café", stock: 1 }],
    empty_campaign: { id: ID, name: "Noël" },
    unlinked_store: { id: ID, name: "Le Comptoir" },
  },
};

const owner = () => true;

function seen(change: Partial<Dashboard>, mayOpen: (screen: Screen) => boolean = owner) {
  return nextSteps({ ...WELL, ...change }, NOW, mayOpen).map(({ title, text, link }) => ({
    title,
    text,
    to: link?.options.to,
  }));
}

const titles = (change: Partial<Dashboard>) => seen(change).map(({ title }) => title);

describe("what to do next", () => {
  it("is nothing when all is well", () => {
    expect(seen({})).toEqual([]);
  });

  it("is to begin, where something is unfinished", () => {
    const none = { ...WELL.used, active_campaigns: 0 };
    expect(titles({ has_campaign: false, used: none })).toEqual(["Créez votre première campagne"]);
    expect(titles({ used: none })).toEqual(["Aucune campagne ne tourne"]);
    expect(titles({ has_reward: false })).toEqual(["Ajoutez une première récompense"]);
    const empty = { ...WELL.todo, empty_campaign: { id: ID, name: "Noël" } };
    expect(titles({ todo: empty })).toEqual(["Rien à gagner dans « Noël »"]);
    // The new reward is for that campaign.
    const [first] = nextSteps({ ...WELL, todo: empty }, NOW, owner);
    expect(first?.link?.options).toEqual({ to: "/rewards/new", search: { campaign: ID } });
    expect(titles({ totals: { ...FIGURES, scans: 0 } })).toEqual(["Imprimez votre QR code"]);
  });

  it("is a bad review, where its words are", () => {
    expect(seen({ todo: { ...WELL.todo, bad_review: BAD } })).toEqual([
      {
        title: "Un avis à 1 étoile vous attend",
        text: "Léa Roy, il y a 2 h.",
        to: "/customers/$customerId",
      },
    ]);
    const forgotten = { ...BAD, rating: 3, name: null, customer_id: null, count: 4 };
    expect(seen({ todo: { ...WELL.todo, bad_review: forgotten } })).toEqual([
      {
        title: "Un avis à 3 étoiles vous attend",
        text: "Client anonyme, il y a 2 h. 4 avis de 3 étoiles ou moins en 7 jours.",
        to: "/campaigns/$campaignId",
      },
    ]);
  });

  it("is a stock that runs out", () => {
    const low = (...stocks: number[]) => ({
      ...WELL.todo,
      low_stock: stocks.map((stock, n) => ({ id: ID, name: `Lot ${n + 1}`, stock })),
    });
    expect(seen({ todo: low(2) })).toMatchObject([
      { title: "« Lot 1 » : plus que 2 en stock", to: "/rewards/$rewardId/edit" },
    ]);
    expect(seen({ todo: low(0, 3) })).toMatchObject([
      {
        title: "« Lot 1 » : stock épuisé",
        text: "Une autre récompense s'épuise aussi.",
        to: "/rewards",
      },
    ]);
  });

  it("is a limit that is near, or reached", () => {
    const used = (monthly_spins: number) => titles({ used: { ...WELL.used, monthly_spins } });
    expect(used(79)).toEqual([]);
    expect(used(80)).toEqual(["Bientôt plus de tours ce mois-ci"]);
    expect(used(100)).toEqual(["Votre roue se repose"]);
  });

  it("comes in the order of urgency, four at most", () => {
    expect(titles(EVERYTHING)).toEqual([
      "Rien à gagner dans « Noël »",
      "Votre roue se repose",
      "Un avis à 1 étoile vous attend",
      "« Café » : plus que 1 en stock",
    ]);
  });

  it("is for whoever may do it: the others are told what they can read", () => {
    const reader = (screen: Screen) => mayOpen(["activity.read", "stores.read"], screen);
    expect(seen(EVERYTHING, reader)).toMatchObject([
      { title: "Votre roue se repose", to: undefined },
      // The review stands among those of its campaign, too.
      { title: "Un avis à 1 étoile vous attend", to: "/campaigns/$campaignId" },
    ]);
    const none = { ...WELL.used, active_campaigns: 0 };
    for (const change of [{ has_campaign: false }, { used: none }, { has_reward: false }]) {
      expect(seen(change, reader)).toEqual([]);
    }
  });
});
