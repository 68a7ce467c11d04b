import { describe, expect, it } from "vitest";
import type { Dashboard } from "#domain/schemas/back-office.ts";
import { mayOpen, type Screen } from "../../../lib/screens.ts";
import { nextSteps } from "./next-steps.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const FIGURES = {
  scans: 12,
  reviews: 8,
  rating_sum: 36,
  five_star_reviews: 5,
  wins: 4,
  points_wins: 0,
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
  todo: {
    unseen_reviews: { count: 0, items: [] },
    low_stock: [],
    checks: 0,
    over_campaign: null,
    empty_campaign: null,
    unlinked_store: null,
  },
  advanced: null,
  activity: [],
  reviews: [],
  public_ratings: { stores: 1, items: [] },
  active_campaigns: [],
};

const BAD = {
  id: ID,
  at: "2026-11-21T10:00:00Z",
  rating: 1,
  store: "Le Comptoir",
  name: "Léa Roy",
  text: null,
  customer_id: ID,
  campaign_id: ID,
};

/** A campaign in which nothing can be won. */
const EMPTY = {
  id: ID,
  name: "Noël",
  active: true,
  starts_at: null,
  ends_at: null,
  timezone: "Europe/Paris",
};

/** A reward that runs out. */
const LOW = [{ id: ID, name: "Café", stock: 1 }];

/** Everything that could be said of one organisation. */
const EVERYTHING: Partial<Dashboard> = {
  totals: { ...FIGURES, scans: 0 },
  used: { ...WELL.used, monthly_spins: 100 },
  todo: {
    unseen_reviews: { count: 1, items: [BAD] },
    over_campaign: null,
    low_stock: LOW,
    checks: 0,
    empty_campaign: EMPTY,
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
    const empty = { ...WELL.todo, empty_campaign: EMPTY };
    expect(titles({ todo: empty })).toEqual(["Rien à gagner dans « Noël »"]);
    // The new reward is for that campaign.
    const [first] = nextSteps({ ...WELL, todo: empty }, NOW, owner);
    expect(first?.link?.options).toEqual({ to: "/rewards/new", search: { campaign: ID } });
    expect(titles({ totals: { ...FIGURES, scans: 0 } })).toEqual(["Imprimez votre QR code"]);
  });

  it("is to read what customers wrote, once the plan is over", () => {
    const left = nextSteps({ ...WELL, ...EVERYTHING }, NOW, owner, { isOpen: false });
    expect(left.map(({ title }) => title)).toEqual(["Un avis à 1 étoile vous attend"]);
    const none = { ...WELL.used, active_campaigns: 0 };
    const idle = nextSteps({ ...WELL, used: none }, NOW, owner, { hasStore: false, isOpen: false });
    expect(idle).toEqual([]);
  });

  it("leads back to the step of the onboarding that is missing, whoever may take it", () => {
    const begun = { has_campaign: false, used: { ...WELL.used, active_campaigns: 0 } };
    const unscanned = { totals: { ...FIGURES, scans: 0 } };
    const ways = (mayOpen: (screen: Screen) => boolean) =>
      [begun, unscanned].map((change) => seen(change, mayOpen)[0]?.to);
    expect(ways(owner)).toEqual(["/onboarding/wheel", "/onboarding/poster"]);
    expect(ways((screen) => screen !== "/rewards/new")).toEqual([
      "/campaigns/new",
      "/onboarding/poster",
    ]);
    expect(ways((screen) => screen !== "/campaigns/new")).toEqual([undefined, "/campaigns"]);
  });

  it("tells a campaign without a reward that is still to begin from one that runs", () => {
    const withStart = (starts_at: string | null) =>
      seen({ todo: { ...WELL.todo, empty_campaign: { ...EMPTY, starts_at } } })[0]?.text;
    expect(withStart(null)).toContain("La campagne tourne sans récompense");
    expect(withStart("2026-11-21T12:00:00Z")).toContain("La campagne tourne sans récompense");
    // A quarter of an hour after midnight in Paris, the day before in London.
    expect(withStart("2026-11-30T23:15:00Z")).toBe(
      "La campagne commence le 1er décembre 2026. Sans récompense d'ici là, la roue restera vide.",
    );
  });

  it("is to take a store back where all are archived, whatever else is unfinished", () => {
    const none = { has_campaign: false, used: { ...WELL.used, active_campaigns: 0 } };
    const told = (mayOpen: (screen: Screen) => boolean) =>
      nextSteps({ ...WELL, ...none }, NOW, mayOpen, { hasStore: false });
    expect(told(owner)).toMatchObject([
      {
        title: "Tous vos magasins sont archivés",
        link: { options: { to: "/stores", search: { archived: true } } },
      },
    ]);
    const [reader] = told((screen) => mayOpen(["activity.read", "stores.read"], screen));
    expect(reader?.text).toContain("Demandez au propriétaire");
    expect(reader?.link).toBeUndefined();
  });

  it("is that every campaign is over", () => {
    const over = { ...WELL.todo, over_campaign: { id: ID, name: "Été" } };
    expect(seen({ todo: over })).toMatchObject([
      { title: "« Été » est terminée", to: "/campaigns" },
    ]);
  });

  it("is a bad review, or several", () => {
    const unseen = (count: number, ...items: (typeof BAD)[]) =>
      titles({ todo: { ...WELL.todo, unseen_reviews: { count, items } } });
    expect(unseen(1, BAD)).toEqual(["Un avis à 1 étoile vous attend"]);
    expect(unseen(1, { ...BAD, rating: 3 })).toEqual(["Un avis à 3 étoiles vous attend"]);
    const others = [BAD, { ...BAD, id: "2" }, { ...BAD, id: "3" }];
    expect(unseen(15, ...others)).toEqual(["15 avis de 3 étoiles ou moins vous attendent"]);
    expect(unseen(100, ...others)).toEqual([
      "Plus de 99 avis de 3 étoiles ou moins vous attendent",
    ]);
  });

  it("is prizes to check, for whoever may decide about them", () => {
    const open = (checks: number) => ({ todo: { ...WELL.todo, checks } });
    const [one] = nextSteps({ ...WELL, ...open(1) }, NOW, owner);
    expect(one?.title).toBe("Des gains sont à vérifier");
    expect(one?.text).toContain("Un groupe de gains sort de l'ordinaire.");
    expect(one?.link?.options).toEqual({ to: "/rewards", hash: "a-verifier" });
    expect(seen(open(7))[0]?.text).toContain("7 groupes");
    expect(seen(open(100))[0]?.text).toContain("Plus de 100 groupes");
    const without = (...missing: Screen[]) => seen(open(1), (screen) => !missing.includes(screen));
    expect(without("/rewards/$rewardId/edit")).toEqual([]);
    expect(without("/rewards")).toEqual([]);
    // After bad reviews, before what can wait.
    const others = { unseen_reviews: { count: 1, items: [BAD] }, low_stock: LOW };
    expect(titles({ todo: { ...WELL.todo, ...others, checks: 2 } })).toEqual([
      "Un avis à 1 étoile vous attend",
      "Des gains sont à vérifier",
      "« Café » : plus que 1 en stock",
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

  it("is for whoever may do it: the others see what they can read", () => {
    const reader = (screen: Screen) => mayOpen(["activity.read", "stores.read"], screen);
    expect(seen(EVERYTHING, reader)).toMatchObject([
      { title: "Votre roue se repose", to: undefined },
      { title: "Un avis à 1 étoile vous attend", to: undefined },
    ]);
    const none = { ...WELL.used, active_campaigns: 0 };
    for (const change of [{ has_campaign: false }, { used: none }, { has_reward: false }]) {
      expect(seen(change, reader)).toEqual([]);
    }
  });
});
