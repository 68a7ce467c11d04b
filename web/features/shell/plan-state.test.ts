import { expect, it } from "vitest";
import { planNotice } from "./plan-state.ts";

const NOW = new Date("2026-11-21T10:00:00");
const trial = {
  plan: "free_trial",
  status: "active",
  current_period_end: null,
  is_open: true,
} as const;

it.each([
  ["2026-11-21T18:00:00", "Votre essai gratuit se termine aujourd'hui."],
  ["2026-11-22T08:00:00", "Votre essai gratuit se termine demain."],
  ["2026-11-24T23:00:00", "Votre essai gratuit se termine dans 3 jours."],
])("speaks of a trial that ends at %s", (end, text) => {
  const trial_end = new Date(end).toISOString();
  expect(planNotice({ ...trial, trial_end }, NOW)).toEqual({ tone: "info", text, to: "/pricing" });
});

it("keeps silent while there is time, on a paid plan, and without one", () => {
  const trial_end = new Date("2026-11-25T00:00:00").toISOString();
  expect(planNotice({ ...trial, trial_end }, NOW)).toBeNull();
  expect(planNotice({ ...trial, plan: "pro", trial_end: null }, NOW)).toBeNull();
  expect(planNotice(null, NOW)).toBeNull();
});

it.each([
  [
    { ...trial, trial_end: "2026-11-20T10:00:00Z", is_open: false },
    "Votre essai gratuit est terminé",
  ],
  [{ ...trial, trial_end: "2026-11-21T08:00:00Z" }, "Votre essai gratuit est terminé"],
  [{ ...trial, plan: "pro", trial_end: null, status: "past_due" }, "Votre dernier paiement"],
  [
    { ...trial, plan: "basic", trial_end: null, status: "canceled", is_open: false },
    "Votre abonnement n'est plus actif",
  ],
] as const)("warns of %j", (plan, start) => {
  const notice = planNotice(plan, NOW);
  expect(notice?.tone).toBe("warning");
  expect(notice?.text.startsWith(start)).toBe(true);
});
