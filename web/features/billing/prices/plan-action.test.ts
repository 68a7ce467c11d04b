import { describe, expect, it } from "vitest";
import type { Billing, Plan } from "#domain/rules/plan-names.ts";
import { planAction, type Subscribed } from "./plan-action.ts";

const on = (plan: Plan, billing: Billing | null = null, hasEnded = false) => ({
  plan,
  billing,
  hasEnded,
  mayManage: true,
});

/** Labels of the three cards' buttons. */
function buttons(subscribed: Subscribed, billing: Billing = "monthly"): string[] {
  return (["free_trial", "basic", "pro"] as const).map((offer) => {
    const { kind, label } = planAction(subscribed, offer, billing);
    return `${kind}: ${label}`;
  });
}

const UP = "checkout: Passer au plan supérieur";
const CHANGE = "checkout: Changer de plan";
const CURRENT = "off: Plan actuel";
const UNAVAILABLE = "off: Non disponible";

describe("planAction", () => {
  it.each([
    [
      "no subscription",
      null,
      ["signup: Commencer l'essai gratuit", "checkout: Choisir Basic", "checkout: Choisir Pro"],
    ],
    ["the trial", on("free_trial"), [CURRENT, UP, UP]],
    ["an ended trial", on("free_trial", null, true), ["off: Essai terminé", UP, UP]],
    ["Basic by the month", on("basic", "monthly"), [UNAVAILABLE, CURRENT, UP]],
    ["Basic by the year", on("basic", "yearly"), [UNAVAILABLE, CHANGE, UP]],
    ["Basic, nobody knows how", on("basic"), [UNAVAILABLE, CURRENT, UP]],
    ["Pro by the month", on("pro", "monthly"), [UNAVAILABLE, CHANGE, CURRENT]],
    ["Pro by the year", on("pro", "yearly"), [UNAVAILABLE, CHANGE, CHANGE]],
    [
      "Pro, ended",
      on("pro", "monthly", true),
      [UNAVAILABLE, "checkout: Choisir Basic", "checkout: Choisir Pro"],
    ],
  ] as const)("of %s", (_, subscribed, expected) => {
    expect(buttons(subscribed)).toEqual(expected);
  });

  it("leads nobody to a checkout that would refuse them", () => {
    expect(buttons({ ...on("basic", "monthly"), mayManage: false })).toEqual([
      UNAVAILABLE,
      CURRENT,
      "off: Passer au plan supérieur",
    ]);
  });

  it("offers the same plan by the year to who pays by the month", () => {
    expect(buttons(on("basic", "monthly"), "yearly")).toEqual([UNAVAILABLE, CHANGE, UP]);
  });
});
