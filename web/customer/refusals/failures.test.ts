import { describe, expect, it } from "vitest";
import type { Failure } from "../api.ts";
import { failuresCopy } from "./failures.copy.ts";
import { describeFailure, isDefinite } from "./failures.ts";
import { wordsByCode } from "./words-by-code.ts";

const OFFLINE = "Connexion interrompue. Rien n'est perdu\u00a0: réessayez dès qu'elle revient.";
const FAULT = "Le service ne répond pas comme prévu. Réessayez dans un instant.";

function refused(change: Partial<Extract<Failure, { kind: "refused" }>>): Failure {
  return {
    kind: "refused",
    status: 409,
    code: "",
    message: "",
    details: {},
    retryAfter: null,
    ...change,
  };
}

describe("describeFailure (specification, section 8)", () => {
  it.each([
    ["campaign_failed", "Erreur lors du chargement de la campagne"],
    ["review_failed", "Erreur lors de l'envoi de l'avis"],
    ["feedback_failed", "Erreur lors de l'envoi du retour"],
    ["wheel_failed", "Impossible de lancer la roue"],
  ] as const)("names what failed: %s", (attempt, title) => {
    expect(describeFailure({ kind: "network" }, attempt)).toEqual({
      title,
      hint: OFFLINE,
    });
    // A proxy refuses without a word of ours, whatever its status.
    for (const status of [403, 502]) {
      expect(describeFailure(refused({ status }), attempt)).toEqual({ title, hint: FAULT });
    }
  });

  it.each([
    ["draw_failed", "Erreur lors du tirage"],
    ["record_failed", "Erreur lors de l'enregistrement"],
  ])("says why the wheel did not turn: %s", (code, message) => {
    expect(describeFailure(refused({ status: 500, code, message }), "wheel_failed")).toEqual({
      title: "Impossible de lancer la roue",
      hint: message,
    });
  });

  it("says of a campaign that is not there where to turn, and of another refusal no more than it says", () => {
    const hint = (code: string) =>
      describeFailure(refused({ status: 404, code, message: "Non." }), "wheel_failed").hint;
    expect(hint("campaign_not_found")).toBe(failuresCopy.notFoundHint);
    expect(hint("review_not_found")).toBe("");
  });

  it("says how long to wait", () => {
    const wait = (retryAfter: number) =>
      describeFailure(
        refused({ status: 429, message: "Trop d'essais.", retryAfter }),
        "wheel_failed",
      ).hint;
    expect(wait(40)).toBe("Réessayez dans 40\u00a0secondes.");
    expect(wait(1)).toBe("Réessayez dans 1\u00a0seconde.");
    expect(wait(600)).toBe("Réessayez dans 10\u00a0minutes.");
  });

  it("shows a customer that could not be made with the server's detail", () => {
    const message = "Erreur lors de la création du client: doublon";
    expect(
      describeFailure(refused({ status: 500, code: "customer_failed", message }), "review_failed")
        .title,
    ).toBe(message);
  });
});

describe("isDefinite", () => {
  it("is what the server understood and refused, and nothing else", () => {
    expect(isDefinite({ kind: "network" })).toBe(false);
    expect(isDefinite(refused({ status: 503 }))).toBe(false);
    expect(isDefinite(refused({ status: 429 }))).toBe(true);
  });
});

describe("in another language", () => {
  it("a refusal is called by its code; one that is not expected is a fault of ours", () => {
    const words = wordsByCode({ already_played: "You have played.", internal_error: "Our fault." });
    expect(words({ code: "already_played" })).toBe("You have played.");
    expect(words({ code: "payments_off" })).toBe("Our fault.");
    expect(words(undefined)).toBe("");
  });
});
