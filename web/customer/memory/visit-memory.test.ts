import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { makeCampaign, REVIEW_ID } from "../testing/campaign.ts";
import { forgetVisit, recallVisit, rememberVisit, type Visit } from "./visit-memory.ts";

const { id } = makeCampaign();
const details = {
  first_name: "Zoé",
  last_name: "Lambert",
  email: "zoe@exemple.fr",
  consent_marketing: true,
};
function visit(change: Partial<Visit>): Visit {
  return { visitId: REVIEW_ID, feedback: "", firstName: "", saved: null, ...change };
}

const phoneText = () => window.localStorage.getItem(`tournavis:${id}:visit`);

beforeEach(() => {
  stubBrowser();
  forgetVisit(id);
});

afterEach(() => vi.unstubAllGlobals());

describe("a visit", () => {
  it("begins with a key of its own", () => {
    const first = recallVisit(id);
    expect(first).toMatchObject({ saved: null });
    expect(recallVisit(id).visitId).not.toBe(first.visitId);
  });

  it("keeps what was written in the tab, and nothing on the phone", () => {
    rememberVisit(id, visit({ feedback: "Le café" }));
    expect(recallVisit(id)).toEqual(visit({ feedback: "Le café" }));
    expect(phoneText()).toBeNull();
  });

  it("keeps a star under way in the tab; the phone learns the key only", () => {
    const saved = { step: "rating", details, rating: 4 } as const;
    rememberVisit(id, visit({ saved }));
    expect(recallVisit(id)).toEqual(visit({ saved }));
    expect(phoneText()).toContain(REVIEW_ID);
    expect(phoneText()).not.toMatch(/Zoé|Lambert|exemple/);
  });

  it("outlives the tab once the review is stored, without a word about the person", () => {
    const saved = { step: "feedback", reviewId: REVIEW_ID } as const;
    rememberVisit(id, visit({ saved, feedback: "Le café était froid", firstName: "Zoé" }));
    expect(recallVisit(id).firstName).toBe("Zoé");
    const phone = phoneText();
    stubBrowser();
    forgetVisit(id);
    window.localStorage.setItem(`tournavis:${id}:visit`, phone ?? "");
    expect(recallVisit(id)).toEqual(visit({ saved }));
    expect(phone).not.toMatch(/froid|Zoé/);
  });

  it("can be taken up for twelve hours", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T08:00:00Z") });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    rememberVisit(id, visit({ feedback: "Le café" }));
    vi.setSystemTime(new Date("2026-11-21T19:59:59Z"));
    expect(recallVisit(id).feedback).toBe("Le café");
    vi.setSystemTime(new Date("2026-11-21T20:00:00Z"));
    expect(recallVisit(id).feedback).toBe("");
  });

  it("ends everywhere", () => {
    rememberVisit(id, visit({ saved: { step: "ready", reviewId: REVIEW_ID } }));
    forgetVisit(id);
    expect(recallVisit(id).saved).toBeNull();
    expect(phoneText()).toBeNull();
  });
});
