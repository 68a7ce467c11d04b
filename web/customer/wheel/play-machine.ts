import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import type { Failure } from "../api.ts";
import type { SavedPlay } from "../memory/play-memory.ts";
import { isRefusal } from "../refusals/refusal.ts";
import { type Contact, firstStep, type PlayState, type PlayStep } from "./play-state.ts";

/** Events of the page. */
export type PlayEvent =
  | { type: "campaign_loaded"; campaign: PublicCampaign }
  | { type: "campaign_failed"; failure: Failure }
  | { type: "parameters_missing" }
  | { type: "name_submitted"; name: string }
  | { type: "contact_submitted"; contact: Contact }
  | { type: "step_revisited"; step: PlayStep }
  | { type: "spin_pressed" }
  | { type: "presence_missing" }
  | { type: "spin_answered"; result: SpinResult }
  | { type: "spin_failed"; failure: Failure }
  | { type: "wheel_stopped" }
  | { type: "test_again" }
  | { type: "resumed"; saved: SavedPlay };

/** Effects that an event demands of the page. */
export type PlayCommand =
  | { type: "spin"; player: { name: string; contact: Contact } | null }
  | { type: "keep_result"; result: SpinResult };

/**
 * Refusal of a spin without a pass, as the server would answer: the wheel does not start for it.
 */
const NOT_PROVEN: Failure = {
  kind: "refused",
  status: 403,
  code: "presence_missing",
  message: "",
  details: {},
  retryAfter: null,
};

type Transition = { state: PlayState; commands: PlayCommand[] };

/** Refusals after which this page has nothing left to offer. */
const FINAL = ["campaign_not_found", "review_not_found", "invalid_request"];

/** Steps that may be shown with what is known: the wheel needs a contact. */
function canShow({ mode, name, contact }: PlayState, step: PlayStep): boolean {
  if (mode === "review") return step === "ready";
  if (step === "name") return true;
  if (step === "contact") return name !== "";
  return step === "ready" && name !== "" && contact !== null;
}

function stay(state: PlayState): Transition {
  return { state, commands: [] };
}

function go(state: PlayState, change: Partial<PlayState>, ...commands: PlayCommand[]): Transition {
  return { state: { ...state, failure: null, ...change }, commands };
}

function load(state: PlayState, event: PlayEvent): Transition {
  if (state.step !== "loading") return stay(state);
  if (event.type === "campaign_loaded") {
    return go(state, { step: firstStep(state.mode), campaign: event.campaign });
  }
  if (event.type === "campaign_failed") {
    return go(state, { step: "error", failure: event.failure });
  }
  return stay(state);
}

function spin(state: PlayState): Transition {
  const { step, mode, name, contact, result } = state;
  // One spin a page session; the test mode resets its result first.
  if (step !== "ready" || result !== null || !canShow(state, "ready")) return stay(state);
  const player = mode === "libre" && contact !== null ? { name, contact } : null;
  return go(state, { step: "spinning" }, { type: "spin", player });
}

function resume(state: PlayState, saved: SavedPlay): Transition {
  // The test mode keeps nothing, so there is nothing that it could take up.
  if (state.mode === "test") return stay(state);
  if (state.step !== firstStep(state.mode) || state.result !== null) return stay(state);
  if (saved.step === "result") return go(state, { step: "result", result: saved.result });
  const resumed = { ...state, name: saved.name, contact: saved.contact };
  return canShow(resumed, saved.step) ? go(resumed, { step: saved.step }) : stay(resumed);
}

/**
 * The state machine of the wheel page (specification, section 4.3). Events that make no
 * sense in a step change nothing, so that double taps and late answers are harmless.
 */
export function playTransition(state: PlayState, event: PlayEvent): Transition {
  const { step } = state;
  if (state.campaign === null) return load(state, event);
  switch (event.type) {
    case "parameters_missing":
      return step === "ready" ? go(state, { step: "error" }) : stay(state);
    case "name_submitted":
      return step === "name" ? go(state, { step: "contact", name: event.name }) : stay(state);
    case "contact_submitted":
      return step === "contact"
        ? go(state, { step: "ready", contact: event.contact })
        : stay(state);
    case "step_revisited":
      return (step === "name" || step === "contact" || step === "ready") &&
        canShow(state, event.step)
        ? go(state, { step: event.step })
        : stay(state);
    case "spin_pressed":
      return spin(state);
    case "presence_missing":
      return step === "ready" ? go(state, { failure: NOT_PROVEN }) : stay(state);
    case "spin_answered":
      return step === "spinning" && state.result === null
        ? go(state, { result: event.result }, { type: "keep_result", result: event.result })
        : stay(state);
    case "spin_failed":
      if (step !== "spinning" || state.result !== null) return stay(state);
      return isRefusal(event.failure, ...FINAL)
        ? go(state, { step: "error", failure: event.failure })
        : go(state, { step: "ready", failure: event.failure });
    case "wheel_stopped":
      return step === "spinning" && state.result !== null
        ? go(state, { step: "result" })
        : stay(state);
    case "test_again":
      return step === "result" && state.mode === "test"
        ? go(state, { step: "ready", result: null })
        : stay(state);
    case "resumed":
      return resume(state, event.saved);
    default:
      return stay(state);
  }
}
