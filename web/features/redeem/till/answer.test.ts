import { describe, expect, test } from "vitest";
import type { CodeLookup } from "#domain/schemas/journey.ts";
import { AppError } from "../../../lib/app-error.ts";
import { lookedUp, redeemed, refused, restored } from "./answer.ts";
import { verdictOf } from "./verdict.ts";

const now = new Date(2026, 10, 21, 15, 0);
const undoId = "0198f3a0-0000-7000-8000-000000000003";
const rewardId = "0198f3a0-0000-7000-8000-000000000002";

const available: CodeLookup = {
  state: "available",
  code: "WIN7K3M9QXA",
  reward: { id: rewardId, name: "Un café offert", type: "gift" },
  customer: { name: "Camille" },
  store: { id: "0198f3a0-0000-7000-8000-000000000001", name: "Les Halles" },
  expires_at: new Date(2026, 11, 12, 23, 59).toISOString(),
  used_at: null,
  used_by: null,
  undo_id: null,
};
const unknown: CodeLookup = {
  ...available,
  state: "unknown",
  reward: null,
  customer: null,
  store: null,
  expires_at: null,
};

describe("what is said of a code that was looked up", () => {
  test.each([
    [available, "go", "Code valable", null],
    [
      {
        ...available,
        state: "used" as const,
        used_at: new Date(2026, 10, 21, 14, 32).toISOString(),
        used_by: "Paul",
      },
      "stop",
      "Déjà utilisé",
      "Validé aujourd'hui à 14:32 par Paul.",
    ],
    [
      {
        ...available,
        state: "used" as const,
        used_at: new Date(2026, 10, 19, 9, 5).toISOString(),
      },
      "stop",
      "Déjà utilisé",
      "Validé jeudi 19 novembre à 09:05.",
    ],
    [
      { ...available, state: "expired" as const },
      "careful",
      "Code expiré",
      "Il était valable jusqu'au samedi 12 décembre.",
    ],
    [
      { ...available, state: "other_store" as const },
      "careful",
      "Autre magasin",
      "Ce gain se retire chez Les Halles.",
    ],
    [
      { ...unknown, state: "test" as const },
      "careful",
      "Code de test",
      "Il vient du mode test et ne donne droit à rien.",
    ],
    [unknown, "stop", "Code inconnu", "Vérifiez les caractères avec le client."],
    [
      { ...unknown, state: "too_many_attempts" as const },
      "careful",
      "Trop d'essais",
      "Patientez une minute, puis réessayez.",
    ],
  ])("%#: %o", (lookup, tone, reason, explanation) => {
    expect(verdictOf(lookedUp(lookup), now)).toEqual({ tone, reason, explanation });
  });
});

describe("what is said of a redemption", () => {
  const before = lookedUp(available);

  test("that succeeded", () => {
    const answer = redeemed(
      {
        code: "WIN7K3M9QXA",
        reward: { id: rewardId, name: "Un café offert", type: "gift" },
        customer: { name: "Camille" },
        used_at: now.toISOString(),
        undo_id: undoId,
      },
      before,
    );
    expect(answer).toMatchObject({
      state: "redeemed",
      usedAt: now,
      reward: "Un café offert",
      undoId,
    });
    expect(verdictOf(answer, now)).toEqual({
      tone: "go",
      reason: "C'est validé",
      explanation: null,
    });
  });

  test("that was taken back", () => {
    const usedNow = { ...available, state: "used" as const, undo_id: undoId };
    const used = lookedUp({ ...usedNow, used_at: now.toISOString(), used_by: "Paul" });
    expect(used).toMatchObject({ state: "used", undoId });
    const answer = restored(used);
    expect(answer).toEqual({ ...before, state: "restored" });
    expect(verdictOf(answer, now)).toEqual({
      tone: "careful",
      reason: "Validation annulée",
      explanation: "Le code est de nouveau valable.",
    });
    const later = new Date(2026, 11, 12, 23, 59);
    expect(verdictOf(answer, later).explanation).toBe(
      "Il était valable jusqu'au samedi 12 décembre.",
    );
  });

  const used = new AppError("code_used", {
    status: 409,
    details: { used_at: new Date(2026, 10, 21, 14, 59).toISOString(), used_by: "Paul" },
  });

  test("that somebody else made first", () => {
    const answer = refused(used, before);
    expect(answer && verdictOf(answer, now)).toEqual({
      tone: "stop",
      reason: "Déjà utilisé",
      explanation: "Validé aujourd'hui à 14:59 par Paul.",
    });
  });

  test.each([
    ["code_expired", "expired"],
    ["code_held", "held"],
    ["code_cancelled", "cancelled"],
    ["code_other_store", "other_store"],
    ["code_test", "test"],
    ["code_not_found", "unknown"],
    ["too_many_attempts", "too_many_attempts"],
  ])("that was refused as %s", (code, state) => {
    expect(refused(new AppError(code), before)).toMatchObject({ state });
  });

  test.each(["network", "unauthenticated", "forbidden", "internal_error", "toString"])(
    "that failed with %s, which says nothing about the code",
    (code) => {
      expect(refused(new AppError(code), before)).toBeNull();
    },
  );
});
