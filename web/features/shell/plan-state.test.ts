import { expect, it, onTestFinished, vi } from "vitest";
import { dataError, errorMessage } from "../../lib/app-error.ts";
import { operatorContact } from "../../lib/operator-contact.ts";
import { planNotice } from "./plan-state.ts";

const NOW = new Date("2026-11-21T10:00:00");
const trial = {
  plan: "free_trial",
  status: "active",
  ends_at: null,
  is_open: true,
  is_suspended: false,
  due_until: null,
  readable_until: null,
} as const;

it.each([
  ["2026-11-21T18:00:00", "Votre essai gratuit se termine aujourd'hui."],
  ["2026-11-22T08:00:00", "Votre essai gratuit se termine demain."],
  ["2026-11-24T23:00:00", "Votre essai gratuit se termine dans 3 jours."],
])("speaks of a trial that ends at %s", (end, text) => {
  const trial_end = new Date(end).toISOString();
  expect(planNotice({ ...trial, trial_end }, NOW)).toEqual({ tone: "info", text, way: "plans" });
});

it("counts a day of 25 hours as one day", () => {
  vi.stubEnv("TZ", "Europe/Paris");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const notice = planNotice(
    { ...trial, trial_end: "2026-10-25T22:30:00Z" },
    new Date("2026-10-25T08:00:00Z"),
  );
  expect(notice?.text).toBe("Votre essai gratuit se termine aujourd'hui.");
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
  [
    { ...trial, trial_end: new Date("2026-11-21T08:00:00").toISOString() },
    "Votre essai gratuit est terminé",
  ],
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

it("promises no reading until a day that has passed, where one's own account is all that is left", () => {
  const plan = { ...trial, plan: "pro", trial_end: null, is_open: false } as const;
  for (const [status, text] of [
    ["canceled", "Votre abonnement n'est plus actif : vos campagnes sont fermées au public."],
    [
      "suspended",
      "Votre abonnement est suspendu, une facture reste à régler : vos campagnes sont fermées au public.",
    ],
  ] as const) {
    const told = (at: string) =>
      planNotice({ ...plan, status, readable_until: new Date(at).toISOString() }, NOW)?.text.trim();
    expect(told("2026-11-21T10:00:00")).toBe(text);
    expect(told("2026-11-21T10:00:01")).toBe(
      `${text} Vos données restent lisibles et exportables jusqu'au 21 novembre 2026.`,
    );
  }
});

it("names the day on which the notice of an open bill ends, and leads to paying it", () => {
  const plan = { ...trial, plan: "pro", trial_end: null, status: "past_due" } as const;
  const notice = planNotice({ ...plan, due_until: "2026-11-28T10:00:00Z" }, NOW);
  expect(notice).toEqual({
    tone: "warning",
    text: "Votre dernier paiement n'a pas abouti. Sans règlement d'ici au 28 novembre 2026, vos campagnes seront fermées au public.",
    way: "pay",
  });
});

it.each([
  [{ plan: "pro", status: "suspended" }, "Votre abonnement est suspendu", "pay"],
  [{ plan: "pro", status: "past_due" }, "Votre abonnement est suspendu", "pay"],
  [{ plan: "basic", status: "canceled" }, "Votre abonnement n'est plus actif", "plans"],
  [{ plan: "free_trial", status: "canceled" }, "Votre essai gratuit est terminé", "plans"],
] as const)("says of %j until when one can read", (plan, start, way) => {
  const notice = planNotice(
    { ...trial, trial_end: null, ...plan, is_open: false, readable_until: "2026-12-21T10:00:00Z" },
    NOW,
  );
  expect(notice?.text.startsWith(start)).toBe(true);
  expect(notice?.text.endsWith("jusqu'au 21 décembre 2026.")).toBe(true);
  expect(notice?.way).toBe(way);
});

it("says of a suspension whom to write to, before anything of the plan, in the words of every refusal", () => {
  operatorContact.email = "aide@exemple.fr";
  onTestFinished(() => {
    operatorContact.email = null;
  });
  const plan = { ...trial, trial_end: "2026-11-20T10:00:00Z", is_open: false, is_suspended: true };
  const notice = planNotice(plan, NOW);
  expect(notice).toMatchObject({ tone: "warning", way: null });
  expect(notice?.text).toMatch(
    /suspendue .* lisibles et exportables.* Écrivez à aide@exemple\.fr\.$/,
  );
  const refusal = dataError({ error: { code: "TV190" }, status: 400 });
  expect(errorMessage(refusal)).toBe(notice?.text);
  operatorContact.email = null;
  expect(planNotice(plan, NOW)?.text).not.toMatch(/Écrivez|null/);
});

it("speaks of a subscription that was cancelled a week before it ends, and leads to where it is kept", () => {
  const plan = { ...trial, plan: "pro", trial_end: null } as const;
  const at = (end: string) => planNotice({ ...plan, ends_at: new Date(end).toISOString() }, NOW);
  expect(at("2026-11-29T00:00:00")).toBeNull();
  expect(at("2026-11-28T23:00:00")).toEqual({
    tone: "info",
    text: "Votre abonnement s'arrête le 28 novembre 2026 : vos campagnes seront ensuite fermées au public.",
    way: "keep",
  });
  // An open bill comes first.
  const late = { ...plan, status: "past_due", ends_at: "2026-11-23T10:00:00Z" } as const;
  expect(planNotice(late, NOW)).toMatchObject({ tone: "warning", way: "pay" });
});
