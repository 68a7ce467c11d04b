import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { json, refuse } from "../../../supabase/functions/_shared/http/respond.ts";
import { forgetVisit, recallVisit } from "../memory/visit-memory.ts";
import { makeCampaign, REVIEW_ID } from "../testing/campaign.ts";
import { stubPage } from "../testing/page-stubs.ts";
import { type FormDraft, forgetDraft, rememberDraft } from "./form-draft.ts";
import { startReviewJourney } from "./review-journey.ts";

const campaign = makeCampaign();
const draft: FormDraft = {
  first_name: "Zoé",
  last_name: "Blanc",
  contact: "email",
  email: "zoe@exemple.fr",
  phone: "",
  consent_marketing: true,
};
const end_user = {
  first_name: "Zoé",
  last_name: "Blanc",
  email: "zoe@exemple.fr",
  consent_marketing: true,
};

const start = () => startReviewJourney("demo", campaign);

function startAtStars() {
  const journey = start();
  journey.submit(draft);
  return journey;
}

const saved = (next: "google" | "feedback" | "ready") => ({
  type: "review_saved" as const,
  response: { review_id: REVIEW_ID, next, google_review_url: null },
});

beforeEach(() => {
  stubPage();
  forgetVisit(campaign.id);
  forgetDraft(campaign.id);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a page without its campaign", () => {
  it("reads it, and takes up what was left", async () => {
    startAtStars().send({ type: "star_clicked", rating: 2 });
    stubPage({ keepStorage: true, answer: () => json(campaign) });
    const journey = startReviewJourney("demo", null);
    expect(journey.current().step).toBe("loading");
    expect(journey.isResumed).toBe(false);
    await vi.waitFor(() => expect(journey.current().step).toBe("rating"));
    expect(journey.current()).toMatchObject({ campaign, rating: 2 });
  });

  it("says that there is none", async () => {
    stubPage({ answer: () => refuse("campaign_not_found") });
    const journey = startReviewJourney("demo", null);
    await vi.waitFor(() => expect(journey.current().step).toBe("error"));
    expect(journey.current().failure).toMatchObject({ code: "campaign_not_found" });
  });
});

describe("the form", () => {
  it("tells what is wrong and stays, or goes on to the stars", () => {
    const page = stubPage();
    const journey = start();
    expect(journey.submit({ ...draft, email: "zoe" })).toEqual({
      email: expect.stringMatching(/./),
    });
    expect(journey.current().step).toBe("form");
    expect(journey.submit(draft)).toEqual({});
    expect(journey.current()).toMatchObject({ step: "rating", details: end_user });
    expect(page.places).toEqual([{ step: "form" }, { step: "rating" }]);
    page.goTo({ step: "form" });
    expect(journey.current().step).toBe("form");
  });

  it("asks once about an address that looks misspelt, and takes it as it is", () => {
    const journey = start();
    const misspelt = { ...draft, email: "zoe@gmial.com" };
    expect(Object.keys(journey.submit(misspelt))).toEqual(["email"]);
    expect(journey.current().step).toBe("form");
    expect(journey.submit(misspelt)).toEqual({});
    expect(journey.current().details?.email).toBe("zoe@gmial.com");
  });

  it("asks once about a number with a digit too many, and takes it as it is", () => {
    const journey = start();
    const odd: FormDraft = { ...draft, contact: "phone", phone: "06 12 34 56 789" };
    expect(Object.keys(journey.submit(odd))).toEqual(["phone"]);
    expect(journey.current().step).toBe("form");
    expect(journey.submit(odd)).toEqual({});
    expect(journey.current().details?.phone).toBe("06 12 34 56 789");
  });

  it("can be gone back to from the stars, which give way to what follows them", () => {
    const page = stubPage();
    const journey = startAtStars();
    journey.send({ type: "star_clicked", rating: 4 });
    journey.send(saved("ready"));
    expect(page.places).toEqual([{ step: "form" }, { step: "ready" }]);
  });

  it("has what was typed before the page was left, until the review is stored", () => {
    rememberDraft(campaign.id, draft);
    const journey = startAtStars();
    expect(journey.draft()).toEqual(draft);
    journey.send({ type: "star_clicked", rating: 2 });
    expect(journey.draft()).toEqual(draft);
    journey.send(saved("feedback"));
    expect(journey.draft()).toBeNull();
  });
});

describe("the stars", () => {
  it.each([
    ["", undefined],
    ["?source=vitrine-2", "vitrine-2"],
    ["?source=%3Cscript%3E", undefined],
    [`?source=${"a".repeat(33)}`, undefined],
  ])("store the rating of a visit that came by %j", async (search, source) => {
    const page = stubPage({ search });
    const journey = startAtStars();
    journey.send({ type: "star_clicked", rating: 2 });
    const { visitId } = recallVisit(campaign.id);
    await vi.waitFor(() => expect(page.asked).toHaveLength(1));
    expect(page.asked[0]).toEqual({
      path: "review_record",
      body: {
        campaign_id: campaign.id,
        locale: "fr",
        visit_id: visitId,
        end_user,
        rating: 2,
        ...(source !== undefined && { source }),
      },
    });
    expect(page.opened).toEqual([]);
  });

  it("are sent again with the same visit, after a lost network and after a reload", async () => {
    const page = stubPage({ hasNetwork: false });
    const journey = startAtStars();
    journey.send({ type: "star_clicked", rating: 4 });
    await vi.waitFor(() => expect(journey.current().failure).toEqual({ kind: "network" }));

    const later = stubPage({ keepStorage: true });
    const again = start();
    expect(again.current()).toMatchObject({ step: "rating", rating: 4, details: end_user });
    expect(again.isResumed).toBe(false);
    expect(later.asked).toEqual(page.asked);
  });

  it("open the public page within the click, and note it once the review is stored", () => {
    const page = stubPage();
    const journey = startAtStars();
    journey.send({ type: "star_clicked", rating: 5 });
    expect(page.opened).toEqual([campaign.google_review_url]);
    journey.send(saved("ready"));
    expect(page.asked.at(-1)).toEqual({
      path: "public_review_click",
      body: { review_id: REVIEW_ID, campaign_id: campaign.id },
    });
  });

  it("are over once the review is stored: a reload stands there, and the way to the public page is still counted", () => {
    const journey = startAtStars();
    journey.send({ type: "star_clicked", rating: 2 });
    journey.send(saved("ready"));
    const page = stubPage({ keepStorage: true, arrival: "reload" });
    const again = start();
    expect(again.current().step).toBe("ready");
    expect(again.isResumed).toBe(true);
    again.send({ type: "review_page_chosen" });
    expect(page.opened).toEqual([]);
    expect(page.asked.map(({ path }) => path)).toEqual(["public_review_click"]);
  });

  it("that belong to a campaign which is no more end the visit", () => {
    const journey = startAtStars();
    const { visitId } = recallVisit(campaign.id);
    journey.send({ type: "star_clicked", rating: 2 });
    expect(recallVisit(campaign.id).visitId).toBe(visitId);
    const gone = { status: 404, code: "campaign_not_found", message: "", details: {} };
    journey.send({
      type: "review_failed",
      failure: { kind: "refused", retryAfter: null, ...gone },
    });
    expect(journey.current().step).toBe("error");
    expect(recallVisit(campaign.id).visitId).not.toBe(visitId);
  });
});

describe("a review that is stored", () => {
  it("is taken up again, and the phone itself does not know whose it is", () => {
    const journey = startAtStars();
    journey.send({ type: "star_clicked", rating: 2 });
    journey.send(saved("feedback"));
    journey.keepFeedbackDraft("Trop salé");

    stubPage({ keepStorage: true });
    const again = start();
    expect(again.current()).toMatchObject({ step: "feedback", reviewId: REVIEW_ID });
    expect(again.isResumed).toBe(true);
    expect(again.feedbackDraft()).toBe("Trop salé");
    expect(recallVisit(campaign.id).firstName).toBe("Zoé");
    window.sessionStorage.removeItem(`tournavis:${campaign.id}:visit`);
    expect(window.localStorage.getItem(`tournavis:${campaign.id}:visit`)).not.toMatch(/Zoé|salé/);
  });

  it("gets the text that its customer writes", async () => {
    const page = stubPage();
    const journey = startAtStars();
    journey.send({ type: "star_clicked", rating: 2 });
    journey.send(saved("feedback"));
    journey.send({ type: "feedback_submitted", feedback: "Trop salé" });
    await vi.waitFor(() =>
      expect(page.asked.at(-1)).toEqual({
        path: "review_record",
        body: { review_id: REVIEW_ID, feedback: "Trop salé" },
      }),
    );
    expect(journey.current().sending).toBe(true);
  });

  it("gives way to a new one", () => {
    const page = stubPage();
    const journey = startAtStars();
    journey.send({ type: "star_clicked", rating: 2 });
    journey.send(saved("ready"));
    const { visitId } = recallVisit(campaign.id);
    journey.restart();
    expect(page.reloads()).toBe(1);
    expect(recallVisit(campaign.id).visitId).not.toBe(visitId);
    expect(recallVisit(campaign.id).saved).toBeNull();
  });
});

it("a page that came without its campaign asks for it, and shows that the network is lost", async () => {
  const page = stubPage({ hasNetwork: false });
  const journey = startReviewJourney("demo", null);
  expect(journey.current().step).toBe("loading");
  expect(journey.draft()).toBeNull();
  expect(journey.feedbackDraft()).toBe("");
  await vi.waitFor(() => expect(journey.current().step).toBe("error"));
  expect(page.asked).toEqual([{ path: "campaign?slug=demo&lang=fr", body: null }]);
});
