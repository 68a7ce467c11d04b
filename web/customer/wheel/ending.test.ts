import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SpinResult } from "#domain/schemas/journey.ts";
import { createMachine } from "../machine.ts";
import { makeCampaign, REVIEW_ID } from "../testing/campaign.ts";
import { createEnding } from "./ending.ts";
import type { PlayJourney } from "./play-journey.ts";
import { playTransition } from "./play-machine.ts";
import { startPlay } from "./play-state.ts";

const campaign = makeCampaign();
const reward = { id: REVIEW_ID, name: "Café offert", type: "gift" as const };
const drawn = (won: SpinResult["reward"]): SpinResult => ({
  spin_id: REVIEW_ID,
  segment_id: campaign.segments[0]?.id ?? "",
  segment_label: "Café offert",
  segment_color: "#8B5CF6",
  reward: won,
  redemption_code: null,
  expires_at: null,
  nonce: "n",
});

const vibrate = vi.fn();
const chime = vi.fn();
const sound = { isOn: () => true, turn: () => {}, wake: () => {}, tick: () => {}, chime };

function prepare(isCalm: boolean) {
  vi.stubGlobal("matchMedia", () => ({ matches: isCalm }));
  vi.stubGlobal("navigator", { vibrate });
  const machine = createMachine(playTransition, startPlay("review", campaign), () => {});
  const journey: PlayJourney = {
    ...machine,
    draft: () => ({ name: "", email: "", phone: "" }),
    keepDraft: () => {},
    submitName: () => undefined,
    isKept: () => true,
    firstName: () => "",
  };
  return { journey, ending: createEnding(journey, sound) };
}

beforeEach(() => {
  vibrate.mockReset();
  chime.mockReset();
});
afterEach(() => vi.unstubAllGlobals());

it.each([
  { name: "a win", won: reward, isCalm: false, buzz: [[[30, 40, 90]]], chimes: 1 },
  { name: "a loss", won: null, isCalm: false, buzz: [[[45]]], chimes: 0 },
  { name: "a win where nothing is to move", won: reward, isCalm: true, buzz: [], chimes: 1 },
  { name: "a loss where nothing is to move", won: null, isCalm: true, buzz: [], chimes: 0 },
])("$name is felt and heard, and leads to the result", ({ won, isCalm, buzz, chimes }) => {
  const { journey, ending } = prepare(isCalm);
  journey.send({ type: "spin_pressed" });
  ending.stop();
  expect(journey.current().step).toBe("spinning");
  expect(vibrate).not.toHaveBeenCalled();
  journey.send({ type: "spin_answered", result: drawn(won) });
  ending.stop();
  expect(journey.current().step).toBe("result");
  expect(vibrate.mock.calls).toEqual(buzz);
  expect(chime).toHaveBeenCalledTimes(chimes);
  // What plays the scene has not come: the win is shown plainly.
  expect(ending.scene()).toBeNull();
});

it("asks nothing of a phone that cannot vibrate", () => {
  const { journey, ending } = prepare(false);
  vi.stubGlobal("navigator", {});
  journey.send({ type: "spin_pressed" });
  journey.send({ type: "spin_answered", result: drawn(null) });
  ending.stop();
  expect(journey.current().step).toBe("result");
});
