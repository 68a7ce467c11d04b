import * as z from "zod/mini";
import { ENTRY_WITHOUT_REVIEW } from "#domain/rules/constants.ts";
import { playerName } from "#domain/rules/contact.ts";
import type { SpinResult, spinRequest } from "#domain/schemas/journey.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { newId } from "#domain/text/new-id.ts";
import { type Failure, spinWheel } from "../api.ts";
import { inWords } from "../keep/said-result.ts";
import { beginWith } from "../machine/begin-with.ts";
import { createMachine, type Machine } from "../machine/machine.ts";
import { followSteps } from "../machine/step-history.ts";
import { anonymousFingerprint, deviceFingerprint, sha256 } from "../memory/identifiers.ts";
import {
  forgetPlay,
  forgetPlayId,
  type PlayDraft,
  playIdOf,
  recallPlay,
  rememberPlay,
} from "../memory/play-memory.ts";
import { rememberPlayed, rememberRefused } from "../memory/played-memory.ts";
import { keepPoints } from "../memory/points-memory.ts";
import { keepPrize, keptPrizes } from "../memory/prize-memory.ts";
import { forgetVisit, recallVisit } from "../memory/visit-memory.ts";
import type { PlayMode } from "../page-data.ts";
import { forgetPass, recallPass } from "../presence/presence-memory.ts";
import { isRefusal } from "../refusals/refusal.ts";
import { keptDraft } from "../review-flow/details.ts";
import { recallDraft } from "../review-flow/form-draft.ts";
import { shellCopy } from "../shell/page-shell.copy.ts";
import { firstNameIn } from "./first-name.ts";
import { type PlayCommand, type PlayEvent, playTransition } from "./play-machine.ts";
import { type Contact, type PlayState, startPlay } from "./play-state.ts";

/** The wheel page at work: the state machine with its requests, its memory and its history. */
export type PlayJourney = Machine<PlayState, PlayEvent> & {
  /** Contents of the fields, from before the page was left. */
  draft: () => PlayDraft;
  keepDraft: (change: Partial<PlayDraft>) => void;
  /** Continues to the contact, or shows what is wrong with the name. */
  submitName: (name: string) => string | undefined;
  /** Whether the phone keeps the code that was won. */
  isKept: () => boolean;
  /** First name of the player; empty where the phone does not know it. */
  firstName: () => string;
};

type SpinAnswer = Extract<PlayEvent, { type: "spin_answered" | "spin_failed" }>;

async function askForSpin(campaignId: string, spinFor: SpinFor): Promise<SpinAnswer> {
  try {
    const spun = await spinWheel(await spinRequestFor(campaignId, spinFor));
    return spun.ok
      ? { type: "spin_answered", result: spun.value }
      : { type: "spin_failed", failure: spun.failure };
  } catch {
    // The hash's fallback could not be loaded: there is no network.
    return { type: "spin_failed", failure: { kind: "network" } };
  }
}

/** Notes on this phone from when its player may play again: the next scan shows it before any question, and no wheel to turn. */
function noteRefusal(campaign: PublicCampaign, failure: Failure, mode: PlayMode): void {
  const again = failure.kind === "refused" ? failure.details.next_play_at : undefined;
  if (again === undefined) return;
  rememberRefused(campaign, new Date(again));
  if (mode === "review") forgetVisit(campaign.id);
}

/** Whether the page was opened by a link, rather than reloaded or gone back to. */
function isNewArrival(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "navigate";
}

/** Begins to play, or takes up again what was left. */
export function startPlayJourney(
  slug: string,
  mode: PlayMode,
  given: PublicCampaign | null,
): PlayJourney {
  let reviewId = "";
  let draft: PlayDraft = { name: "", email: "", phone: "" };
  let isKept = true;
  let firstName = "";
  // As it was answered: what the page shows of it is in its language.
  let drawn: SpinResult | null = null;

  const place = ({ id: campaignId }: PublicCampaign) => ({
    campaignId,
    way: mode === "review" ? reviewId : mode,
  });

  function run(command: PlayCommand, send: (event: PlayEvent) => void) {
    const { campaign } = machine.current();
    if (campaign === null) return;
    const { id } = campaign;
    if (command.type === "keep_result") {
      prepareResult(command.result);
      keep(campaign, drawn ?? command.result);
    } else {
      askForSpin(id, spinFor(command.player)).then((event) => {
        if (event.type === "spin_failed") {
          noteRefusal(campaign, event.failure, mode);
          if (isRefusal(event.failure, "presence_missing")) forgetPass(id);
          send(event);
        } else {
          drawn = event.result;
          send({ ...event, result: inWords(drawn, campaign.words) });
        }
      });
    }
  }

  /** Whether the campaign asks for a proof of presence that this phone has not given yet. */
  function lacksPresence(): boolean {
    const { campaign } = machine.current();
    return mode !== "test" && campaign?.presence !== undefined && recallPass(campaign.id) === null;
  }

  function spinFor(player: { name: string; contact: Contact } | null): SpinFor {
    if (mode === "test") return { by: "test" };
    return player === null ? { by: "review", reviewId } : { by: "player", player };
  }

  const machine = createMachine(playTransition, startPlay(mode, given), run);

  /** Keeps what was drawn before the wheel has stopped, and forgets who played. */
  function keep(campaign: PublicCampaign, drawn: SpinResult) {
    if (mode !== "review") firstName = firstNameIn(machine.current().name);
    if (mode === "test") return;
    rememberPlay(place(campaign), { step: "result", result: drawn, firstName });
    rememberPlayed(campaign, new Date());
    forgetPlayId(campaign.id);
    if (mode === "review" || recallVisit(campaign.id).saved === null) forgetVisit(campaign.id);
    keepPoints(drawn);
    if (drawn.redemption_code !== null) {
      isKept = keepPrize(campaign.id, { reviewId, result: drawn });
    }
  }

  /** Writes down what was typed; the test mode keeps nothing. */
  function writeDown() {
    const { campaign, step, name, contact } = machine.current();
    if (campaign === null || mode !== "libre") return;
    if (step === "name" || step === "contact" || step === "ready") {
      rememberPlay(place(campaign), { step, name, contact, draft });
    }
  }

  /** Shows a draw again, in the language that the page has now. */
  function resume({ words }: PublicCampaign, result: SpinResult) {
    machine.send({ type: "resumed", saved: { step: "result", result: inWords(result, words) } });
  }

  function restore(campaign: PublicCampaign) {
    if (mode === "review") {
      const asked = z.guid().safeParse(new URLSearchParams(location.search).get("review_id"));
      if (!asked.success) {
        machine.send({ type: "parameters_missing" });
        return;
      }
      reviewId = asked.data;
      const visit = recallVisit(campaign.id);
      const isTheirs = visit.saved?.step === "ready" && visit.saved.reviewId === reviewId;
      if (isTheirs) firstName = visit.firstName;
    }
    const saved = recallPlay(place(campaign));
    const prize = keptPrizes(campaign.id).find((kept) => kept.reviewId === reviewId);
    if (saved?.step === "result" && mode === ENTRY_WITHOUT_REVIEW && isNewArrival()) {
      // The last player is done: the next visitor is another player.
      forgetPlay(place(campaign));
    } else if (saved !== null) {
      if (saved.step === "result") {
        firstName = saved.firstName ?? "";
        resume(campaign, saved.result);
      } else {
        draft = saved.draft;
        machine.send({ type: "resumed", saved });
      }
      return;
    } else if (mode === "review" && prize !== undefined) {
      resume(campaign, prize.result);
    }
    const form = mode === ENTRY_WITHOUT_REVIEW ? recallDraft(campaign.id, keptDraft) : null;
    // The review form already has the name of a player who began it.
    if (form !== null) draft.name = `${form.first_name} ${form.last_name}`.trim();
  }

  function begin(campaign: PublicCampaign) {
    restore(campaign);
    followSteps(
      machine,
      (from, to) => (from === "name" && to === "contact") || (from === "contact" && to === "ready"),
      (step) => {
        if (step === "name" || step === "contact" || step === "ready") {
          machine.send({ type: "step_revisited", step });
        }
      },
    );
    machine.watch(writeDown);
  }

  beginWith(given, { slug, machine, begin });

  return {
    ...machine,
    send: (event) =>
      machine.send(
        event.type === "spin_pressed" && lacksPresence() ? { type: "presence_missing" } : event,
      ),
    draft: () => draft,
    keepDraft(change) {
      draft = { ...draft, ...change };
      writeDown();
    },
    submitName(typed) {
      const { data: name, error } = playerName.safeParse(typed);
      if (name !== undefined) machine.send({ type: "name_submitted", name });
      return error?.issues[0]?.message;
    },
    isKept: () => isKept,
    firstName: () => firstName,
  };
}

/**
 * Fetches what a win shows besides its words, while the wheel turns: the code's picture is there when it stops. What
 * fails is asked for again where it is needed.
 */
function prepareResult({ redemption_code: code }: SpinResult): void {
  if (code === null) return;
  import("lean-qr").catch(() => {});
  import("lean-qr/extras/svg").catch(() => {});
}

/** In whose name a spin is asked for. */
type SpinFor =
  | { by: "review"; reviewId: string }
  | { by: "player"; player: { name: string; contact: Contact } }
  | { by: "test" };

/**
 * The request of a spin. It carries the same key for the same review or player until the
 * answer has come, so that a repeat brings back the first draw. A test says nothing about
 * who tries.
 */
async function spinRequestFor(
  campaignId: string,
  spinFor: SpinFor,
): Promise<z.input<typeof spinRequest>> {
  const campaign_id = campaignId;
  if (spinFor.by === "test") {
    return { campaign_id, test: true, device_fp: anonymousFingerprint() };
  }
  const device_fp = await deviceFingerprint();
  const presence = recallPass(campaignId);
  const { language: locale } = shellCopy;
  const from = { campaign_id, device_fp, locale, ...(presence !== null && { presence }) };
  if (spinFor.by === "review") return { ...from, review_id: spinFor.reviewId };
  const { name, contact } = spinFor.player;
  const mark = (await sha256(JSON.stringify([name, contact]))).slice(0, 8);
  const play_id = playIdOf(campaignId, mark, newId);
  return { ...from, play_id, contact: { name, ...contact } };
}
