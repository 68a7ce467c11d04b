import { VISIT_SOURCE } from "#domain/rules/visit-source.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { recordFeedback, recordReview, recordReviewClick } from "../api.ts";
import { beginWith } from "../machine/begin-with.ts";
import { createMachine, type Machine } from "../machine/machine.ts";
import { followSteps } from "../machine/step-history.ts";
import {
  forgetVisit,
  recallVisit,
  rememberVisit,
  type SavedReview,
  type Visit,
} from "../memory/visit-memory.ts";
import { doubtContact } from "../parts/doubted-contact.tsx";
import { shellCopy } from "../shell/page-shell.copy.ts";
import { checkDetails, keptDraft } from "./details.ts";
import { type FormDraft, forgetDraft, type Mistakes, recallDraft } from "./form-draft.ts";
import { type ReviewCommand, type ReviewEvent, reviewTransition } from "./review-machine.ts";
import { type ReviewState, startReview } from "./review-state.ts";

/** The review page at work: the state machine with its requests, its memory and its history. */
export type ReviewJourney = Machine<ReviewState, ReviewEvent> & {
  /** Form as it was typed before the page was left. */
  draft: () => FormDraft | null;
  feedbackDraft: () => string;
  /** Continues to the rating, or shows what is wrong with the form. A contact that looks misspelt is questioned once. */
  submit: (draft: FormDraft) => Mistakes;
  keepFeedbackDraft: (text: string) => void;
  /** The stored review was taken up again, maybe by another person with the same phone. */
  isResumed: boolean;
  restart: () => void;
};

/** Where the visit came from, as the address says; the server assumes the QR code otherwise. */
function sourceOfVisit(): { source?: string } {
  const source = new URLSearchParams(location.search).get("source") ?? "";
  return VISIT_SOURCE.test(source) ? { source } : {};
}

/** Part of this state that must survive a reload. */
function savedFrom({ step, details, rating, reviewId }: ReviewState): SavedReview | null {
  if (step === "rating" && details !== null) return { step, details, rating };
  if (reviewId === null) return null;
  return step === "google" || step === "feedback" || step === "ready" ? { step, reviewId } : null;
}

async function saveReview(
  campaign_id: string,
  visit_id: string,
  { details: end_user, rating }: Extract<ReviewCommand, { type: "save_review" }>,
): Promise<ReviewEvent> {
  const { language: locale } = shellCopy;
  const review = { campaign_id, visit_id, end_user, rating, locale, ...sourceOfVisit() };
  const saved = await recordReview(review);
  return saved.ok
    ? { type: "review_saved", response: saved.value }
    : { type: "review_failed", failure: saved.failure };
}

async function saveFeedback(review_id: string, feedback: string): Promise<ReviewEvent> {
  const saved = await recordFeedback({ review_id, feedback });
  return saved.ok
    ? { type: "feedback_saved" }
    : { type: "feedback_failed", failure: saved.failure };
}

/** Begins a journey, or takes one up again where it was left. */
export function startReviewJourney(slug: string, given: PublicCampaign | null): ReviewJourney {
  let visit: Visit | null = null;

  function run(command: ReviewCommand, send: (event: ReviewEvent) => void) {
    const { campaign } = machine.current();
    if (command.type === "open_review_page") {
      window.open(command.url, "_blank", "noopener,noreferrer");
    } else if (campaign === null || visit === null) {
      return;
    } else if (command.type === "record_click") {
      recordReviewClick({ review_id: command.reviewId, campaign_id: campaign.id });
    } else if (command.type === "save_feedback") {
      saveFeedback(command.reviewId, command.feedback).then(send);
    } else {
      saveReview(campaign.id, visit.visitId, command).then(send);
    }
  }

  const machine = createMachine(reviewTransition, startReview(given), run);

  function keep(change: Partial<Visit>) {
    const { campaign } = machine.current();
    if (campaign === null || visit === null) return;
    visit = { ...visit, ...change };
    rememberVisit(campaign.id, visit);
  }

  /** Writes down every step, so that a reload or a closed tab loses nothing. */
  function writeDown() {
    const state = machine.current();
    if (state.step === "error" && state.campaign !== null) forgetVisit(state.campaign.id);
    else if (state.reviewId === null) keep({ saved: savedFrom(state) });
    else {
      keep({ saved: savedFrom(state) });
      forgetDraft(state.campaign?.id ?? "");
    }
  }

  const journey: ReviewJourney = {
    ...machine,
    draft() {
      const { campaign } = machine.current();
      return campaign === null ? null : recallDraft(campaign.id, keptDraft);
    },
    feedbackDraft: () => visit?.feedback ?? "",
    submit(draft) {
      const { details, mistakes } = checkDetails(draft);
      if (details === null) return mistakes;
      const doubts = doubtContact(details);
      if (Object.keys(doubts).length > 0) return doubts;
      keep({ firstName: details.first_name });
      machine.send({ type: "details_submitted", details });
      return {};
    },
    keepFeedbackDraft: (feedback) => keep({ feedback }),
    isResumed: false,
    restart() {
      const { campaign } = machine.current();
      if (campaign !== null) forgetVisit(campaign.id);
      location.reload();
    },
  };

  function begin(campaign: PublicCampaign) {
    visit = recallVisit(campaign.id);
    const { saved } = visit;
    journey.isResumed = saved !== null && saved.step !== "rating";
    followSteps(
      machine,
      (from, to) => from === "form" && to === "rating",
      (step) => step === "form" && machine.send({ type: "form_reopened" }),
    );
    machine.watch(writeDown);
    if (saved !== null) machine.send({ type: "resumed", saved });
  }

  beginWith(given, { slug, machine, begin });
  return journey;
}
