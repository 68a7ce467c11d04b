import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_RATING } from "#domain/rules/constants.ts";
import type { ReviewNext } from "#domain/rules/review-flow.ts";
import { afterRating } from "#domain/rules/review-flow.ts";
import type { ReviewMode } from "#domain/rules/review-mode.ts";
import type { Failure } from "../api.ts";
import { makeCampaign, REVIEW_ID } from "../testing/campaign.ts";
import type { CustomerDetails } from "./details.ts";
import { type ReviewCommand, type ReviewEvent, reviewTransition } from "./review-machine.ts";
import { type ReviewState, startReview } from "./review-state.ts";

const details: CustomerDetails = {
  first_name: "Zoé",
  last_name: "Lambert",
  email: "zoe@exemple.fr",
  consent_marketing: false,
};
const URL = "https://avis.example/lilas";
const lost: Failure = { kind: "network" };

function refused(code: string, status = 409): Failure {
  return { kind: "refused", status, code, message: code, details: {}, retryAfter: null };
}

/** Plays events one after the other; answers the last state and every command on the way. */
function play(start: ReviewState, events: ReviewEvent[]) {
  let state = start;
  const commands: ReviewCommand[] = [];
  for (const event of events) {
    const next = reviewTransition(state, event);
    state = next.state;
    commands.push(...next.commands);
  }
  return { state, commands };
}

type Setting = { mode?: ReviewMode; url?: string | null };

function begin({ mode = "compliant", url = URL }: Setting = {}): ReviewState {
  return startReview(makeCampaign({ review_mode: mode, google_review_url: url }));
}

/** The server's answer to a rating, which follows the same table as the page. */
function answer(rating: number, { mode = "compliant", url = URL }: Setting): ReviewEvent {
  const { next } = afterRating({ rating, reviewMode: mode, hasReviewUrl: url !== null });
  return {
    type: "review_saved",
    response: { review_id: REVIEW_ID, next, google_review_url: url },
  };
}

const submit: ReviewEvent = { type: "details_submitted", details };

function rated(rating: number, setting: Setting = {}) {
  return play(begin(setting), [submit, { type: "star_clicked", rating }, answer(rating, setting)]);
}

describe("the way from loading", () => {
  it("leads to the form when the campaign is found", () => {
    const campaign = makeCampaign();
    const { state } = play(startReview(null), [{ type: "campaign_loaded", campaign }]);
    expect(state).toMatchObject({ step: "form", campaign });
  });

  it("leads to the error otherwise, and no further", () => {
    const failure = refused("campaign_not_found", 404);
    const { state } = play(startReview(null), [{ type: "campaign_failed", failure }, submit]);
    expect(state).toMatchObject({ step: "error", failure });
  });
});

describe("what makes no sense changes nothing", () => {
  const campaign = makeCampaign();
  const saved = answer(2, {});
  const star: ReviewEvent = { type: "star_clicked", rating: 2 };
  const text: ReviewEvent = { type: "feedback_submitted", feedback: "Trop salé" };
  const failed = (type: "review_failed" | "feedback_failed"): ReviewEvent => ({
    type,
    failure: lost,
  });
  const thanked: ReviewEvent = { type: "feedback_saved" };
  const answers = [saved, failed("review_failed"), thanked, failed("feedback_failed")];
  const pages: ReviewEvent[] = [{ type: "review_page_chosen" }, { type: "review_page_declined" }];
  const others: ReviewEvent[] = [{ type: "rating_retried" }, { type: "form_reopened" }];
  const resumed: ReviewEvent = { type: "resumed", saved: { step: "ready", reviewId: REVIEW_ID } };
  const form = begin();
  const stars = play(form, [submit]).state;
  const sending = play(stars, [star]).state;
  const feedback = play(sending, [saved]).state;
  const thanking = play(feedback, [text]).state;
  const ready = play(thanking, [thanked]).state;
  const google = rated(4, { mode: "gating" }).state;
  const gone: ReviewEvent = { type: "review_failed", failure: refused("campaign_not_found", 404) };
  const error = play(sending, [gone]).state;

  it.each<[string, ReviewState, ReviewEvent[]]>([
    ["loading", startReview(null), [submit, star, text, ...answers, ...pages, ...others, resumed]],
    ["the form", form, [star, text, ...answers, ...pages, ...others]],
    ["the stars", stars, [submit, text, ...answers, ...pages, resumed, { type: "rating_retried" }]],
    ["a star on its way", sending, [submit, star, text, thanked, ...pages, ...others, resumed]],
    ["the text", feedback, [submit, star, ...answers, ...pages, ...others, resumed]],
    ["a text on its way", thanking, [submit, star, text, saved, ...pages, ...others, resumed]],
    [
      "the end",
      ready,
      [submit, star, text, ...answers, ...others, resumed, { type: "review_page_declined" }],
    ],
    ["the error", error, [submit, star, text, ...answers, ...pages, ...others, resumed]],
    ["the public page", google, [submit, star, text, ...answers, ...others, resumed]],
  ])("at %s", (_, state, senseless) => {
    for (const event of senseless) {
      const next = reviewTransition(state, event);
      expect(next.state).toBe(state);
      expect(next.commands).toEqual([]);
    }
  });

  it("after the page could not be loaded", () => {
    const { state } = play(startReview(null), [{ type: "campaign_failed", failure: lost }]);
    expect(reviewTransition(state, { type: "campaign_loaded", campaign }).state).toBe(state);
  });
});

describe("the way from the stars (specification, section 4.2)", () => {
  it.each<{
    rating: number;
    mode: ReviewMode;
    url: string | null;
    next: ReviewNext;
    opens: boolean;
  }>([
    { rating: 5, mode: "compliant", url: URL, next: "ready", opens: true },
    { rating: 5, mode: "gating", url: URL, next: "ready", opens: true },
    { rating: 5, mode: "compliant", url: null, next: "ready", opens: false },
    { rating: 5, mode: "gating", url: null, next: "ready", opens: false },
    { rating: 4, mode: "compliant", url: URL, next: "ready", opens: false },
    { rating: 4, mode: "gating", url: URL, next: "google", opens: false },
    { rating: 4, mode: "compliant", url: null, next: "ready", opens: false },
    { rating: 4, mode: "gating", url: null, next: "ready", opens: false },
    { rating: 3, mode: "compliant", url: URL, next: "feedback", opens: false },
    { rating: 3, mode: "gating", url: URL, next: "feedback", opens: false },
    { rating: 3, mode: "gating", url: null, next: "feedback", opens: false },
    { rating: 2, mode: "gating", url: URL, next: "feedback", opens: false },
    { rating: 1, mode: "compliant", url: URL, next: "feedback", opens: false },
  ])("$rating stars, $mode, reviews page $url: $next", ({ rating, mode, url, next, opens }) => {
    const { state, commands } = rated(rating, { mode, url });
    expect(state).toMatchObject({ step: next, reviewId: REVIEW_ID });
    const save: ReviewCommand = { type: "save_review", details, rating };
    expect(commands).toEqual(
      opens
        ? [
            { type: "open_review_page", url: URL },
            save,
            { type: "record_click", reviewId: REVIEW_ID },
          ]
        : [save],
    );
  });

  it("never opens an address that is not a page", () => {
    const url = "javascript:alert(1)";
    const { commands } = rated(5, { url });
    expect(commands.map(({ type }) => type)).toEqual(["save_review"]);
  });

  it("does not end at an invitation without a page to go to", () => {
    const { state } = play(begin({ url: null }), [
      submit,
      { type: "star_clicked", rating: 4 },
      {
        type: "review_saved",
        response: { review_id: REVIEW_ID, next: "google", google_review_url: null },
      },
    ]);
    expect(state.step).toBe("ready");
  });

  it("forgets who gave the review once it is stored", () => {
    expect(rated(3).state.details).toBeNull();
  });
});

describe("the way after the stars", () => {
  it("follows the link of the invitation, which opens the page itself, and goes on", () => {
    const { state } = rated(4, { mode: "gating" });
    const { state: next, commands } = play(state, [{ type: "review_page_chosen" }]);
    expect(next.step).toBe("ready");
    expect(commands).toEqual([{ type: "record_click", reviewId: REVIEW_ID }]);
  });

  it("declines the invitation and goes on", () => {
    const { state } = rated(4, { mode: "gating" });
    const { state: next, commands } = play(state, [{ type: "review_page_declined" }]);
    expect(next.step).toBe("ready");
    expect(commands).toEqual([]);
  });

  it("sends the private message once, then goes on", () => {
    const { state } = rated(1);
    const send: ReviewEvent = { type: "feedback_submitted", feedback: "Trop long." };
    const { state: next, commands } = play(state, [send, send, { type: "feedback_saved" }]);
    expect(commands).toEqual([
      { type: "save_feedback", reviewId: REVIEW_ID, feedback: "Trop long." },
    ]);
    expect(next.step).toBe("ready");
  });

  it("takes a message that had arrived for sent", () => {
    const { state } = play(rated(1).state, [
      { type: "feedback_submitted", feedback: "Trop long." },
      { type: "feedback_failed", failure: refused("feedback_exists") },
    ]);
    expect(state.step).toBe("ready");
  });

  it("starts from the beginning when the server knows nothing of the review", () => {
    const { state } = play(rated(1).state, [
      { type: "feedback_submitted", feedback: "Trop long." },
      { type: "feedback_failed", failure: refused("review_not_found", 404) },
    ]);
    expect(state.step).toBe("error");
  });
});

describe("a failure at the stars", () => {
  const failed = (failure: Failure) =>
    play(begin(), [submit, { type: "star_clicked", rating: 5 }, { type: "review_failed", failure }])
      .state;

  it.each([lost, refused("review_failed", 500)])(
    "whose outcome is unknown keeps the star and lets only the same one go again: %j",
    (failure) => {
      const state = failed(failure);
      expect(state).toMatchObject({ step: "rating", rating: 5, sending: false, failure });
      const { state: next, commands } = play(state, [
        { type: "form_reopened" },
        { type: "star_clicked", rating: 1 },
        { type: "rating_retried" },
      ]);
      expect(commands).toEqual([{ type: "save_review", details, rating: 5 }]);
      expect(next).toMatchObject({ step: "rating", sending: true, failure: null });
    },
  );

  it("that is definite leads back to the form, and the stars are free again", () => {
    const { state } = play(failed(refused("invalid_request", 400)), [{ type: "form_reopened" }]);
    expect(state).toMatchObject({ step: "form", rating: null, details: null });
    const { commands } = play(state, [submit, { type: "star_clicked", rating: 2 }]);
    expect(commands).toEqual([{ type: "save_review", details, rating: 2 }]);
  });

  it("of a campaign that has closed ends the journey", () => {
    expect(failed(refused("campaign_not_found", 404)).step).toBe("error");
  });
});

describe("a journey taken up again", () => {
  it.each(["google", "feedback", "ready"] as const)("stands at %s", (step) => {
    const { state } = play(begin(), [{ type: "resumed", saved: { step, reviewId: REVIEW_ID } }]);
    expect(state).toMatchObject({ step, reviewId: REVIEW_ID });
  });

  it("sends nothing where no star was clicked", () => {
    const resumed: ReviewEvent = {
      type: "resumed",
      saved: { step: "rating", details, rating: null },
    };
    const { state, commands } = play(begin(), [resumed]);
    expect(state).toMatchObject({ step: "rating", rating: null, sending: false, failure: null });
    expect(commands).toEqual([]);
  });

  it("sends the same star again, once, when its answer never came", () => {
    const { state, commands } = play(begin(), [
      { type: "resumed", saved: { step: "rating", details, rating: 4 } },
      { type: "star_clicked", rating: 1 },
      { type: "rating_retried" },
    ]);
    expect(state).toMatchObject({ step: "rating", rating: 4, sending: true });
    expect(commands).toEqual([{ type: "save_review", details, rating: 4 }]);
  });

  it("after five stars opens the public page no second time, and notes that it was opened", () => {
    const { commands } = play(begin({ url: URL }), [
      { type: "resumed", saved: { step: "rating", details, rating: 5 } },
      {
        type: "review_saved",
        response: { review_id: REVIEW_ID, next: "ready", google_review_url: URL },
      },
    ]);
    expect(commands).toEqual([
      { type: "save_review", details, rating: 5 },
      { type: "record_click", reviewId: REVIEW_ID },
    ]);
  });

  it("does not overtake who has gone on meanwhile", () => {
    const { state } = play(begin(), [
      submit,
      { type: "resumed", saved: { step: "ready", reviewId: REVIEW_ID } },
    ]);
    expect(state.step).toBe("rating");
  });
});

const failures = fc.constantFrom(
  lost,
  refused("review_failed", 500),
  refused("too_many_attempts", 429),
  refused("campaign_not_found", 404),
  refused("review_not_found", 404),
  refused("feedback_exists"),
);
const ratings = fc.integer({ min: 1, max: MAX_RATING });
const events: fc.Arbitrary<ReviewEvent> = fc.oneof(
  fc.constant<ReviewEvent>({ type: "campaign_loaded", campaign: makeCampaign() }),
  failures.map((failure): ReviewEvent => ({ type: "campaign_failed", failure })),
  fc.constant(submit),
  fc.constant<ReviewEvent>({ type: "form_reopened" }),
  ratings.map((rating): ReviewEvent => ({ type: "star_clicked", rating })),
  fc.constant<ReviewEvent>({ type: "rating_retried" }),
  fc.constantFrom<ReviewNext>("google", "feedback", "ready").map(
    (next): ReviewEvent => ({
      type: "review_saved",
      response: { review_id: REVIEW_ID, next, google_review_url: URL },
    }),
  ),
  failures.map((failure): ReviewEvent => ({ type: "review_failed", failure })),
  fc.constant<ReviewEvent>({ type: "review_page_chosen" }),
  fc.constant<ReviewEvent>({ type: "review_page_declined" }),
  fc.constant<ReviewEvent>({ type: "feedback_submitted", feedback: "Le café était froid." }),
  fc.constant<ReviewEvent>({ type: "feedback_saved" }),
  failures.map((failure): ReviewEvent => ({ type: "feedback_failed", failure })),
  fc.constantFrom<ReviewEvent>(
    { type: "resumed", saved: { step: "rating", details, rating: 4 } },
    { type: "resumed", saved: { step: "rating", details, rating: null } },
    { type: "resumed", saved: { step: "feedback", reviewId: REVIEW_ID } },
  ),
);
const starts = fc.record({
  isLoaded: fc.boolean(),
  mode: fc.constantFrom<ReviewMode>("compliant", "gating"),
  url: fc.constantFrom(URL, null),
});

/** Invariants of every state, whichever way led there. */
function expectValid(state: ReviewState) {
  const { step, campaign, details: who, rating, reviewId, sending, failure } = state;
  expect(["loading", "form", "rating", "google", "feedback", "ready", "error"]).toContain(step);
  expect(campaign === null).toBe(campaign === null && (step === "loading" || step === "error"));
  if (step === "form")
    expect({ rating, reviewId, sending }).toEqual({ rating: null, reviewId: null, sending: false });
  if (step === "rating") expect(who).not.toBeNull();
  if (step === "google" || step === "feedback" || step === "ready") {
    expect(reviewId).not.toBeNull();
    expect(who).toBeNull();
  }
  if (sending) expect(["rating", "feedback"]).toContain(step);
  if (sending && step === "rating") expect(rating).not.toBeNull();
  if (step === "error") expect(failure).not.toBeNull();
}

describe("whatever happens", () => {
  it("never leaves a valid state", () => {
    fc.assert(
      fc.property(starts, fc.array(events, { maxLength: 40 }), ({ isLoaded, mode, url }, list) => {
        let state = startReview(
          isLoaded ? makeCampaign({ review_mode: mode, google_review_url: url }) : null,
        );
        for (const event of list) {
          state = reviewTransition(state, event).state;
          expectValid(state);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("has one rating under way at most, never another than the one that may be stored, none once it is", () => {
    fc.assert(
      fc.property(starts, fc.array(events, { maxLength: 40 }), ({ mode, url }, list) => {
        let state = begin({ mode, url });
        let isUnderWay = false;
        // A rating that the server may have stored: nothing but the same may follow it.
        let maybeStored: number | null = null;
        let isStored = false;
        for (const event of list) {
          const next = reviewTransition(state, event);
          if (event.type === "resumed" && next.state !== state) {
            if (event.saved.step === "rating") maybeStored = event.saved.rating;
            else isStored = true;
          }
          const wasHeard = isUnderWay && next.state !== state;
          if (event.type === "review_saved" && wasHeard) {
            isUnderWay = false;
            isStored = true;
          }
          if (event.type === "review_failed" && wasHeard) {
            isUnderWay = false;
            if (event.failure.kind === "refused" && event.failure.status < 500) maybeStored = null;
          }
          for (const command of next.commands) {
            if (command.type !== "save_review") continue;
            expect(isUnderWay).toBe(false);
            expect(isStored).toBe(false);
            if (maybeStored !== null) expect(command.rating).toBe(maybeStored);
            isUnderWay = true;
            maybeStored = command.rating;
          }
          state = next.state;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
