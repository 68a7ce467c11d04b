import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SpinResult } from "#domain/schemas/journey.ts";
import { createMachine } from "../machine/machine.ts";
import { makeCampaign, makeResult, REVIEW_ID } from "../testing/campaign.ts";
import { createEnding } from "./ending.ts";
import type { PlayJourney } from "./play-journey.ts";
import { playTransition } from "./play-machine.ts";
import { startPlay } from "./play-state.ts";

/** Its last segment is grey, as a merchant writes it or as it came. */
const campaign = makeCampaign();
const [first, ...others] = campaign.segments.map((segment, place) => ({
  ...segment,
  color: ["#8B5CF6", "#10b981", "#6B7280", "#6b7280"][place] ?? segment.color,
}));
campaign.segments = first ? [first, ...others] : [];
const reward = { id: REVIEW_ID, name: "Café offert", type: "gift" as const };
const drawn = (won: SpinResult["reward"]) =>
  makeResult({
    segment_id: campaign.segments[0]?.id ?? "",
    reward: won,
    redemption_code: null,
  });

const takeWheel = vi.hoisted(() => vi.fn());
vi.mock("./win-scene.ts", () => ({ takeWheel }));

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
  takeWheel.mockReset();
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
  // The scene's player has not come: the win is shown plainly.
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

it.each([
  { name: "a win", won: reward, isCalm: false, isShown: true },
  { name: "a loss", won: null, isCalm: false, isShown: false },
  { name: "a win where nothing is to move", won: reward, isCalm: true, isShown: false },
])("$name is shown with a scene: $isShown", async ({ won, isCalm, isShown }) => {
  const scene = { name: "scene" };
  takeWheel.mockReturnValue(scene);
  const { journey, ending } = prepare(isCalm);
  journey.send({ type: "spin_pressed" });
  journey.send({ type: "spin_answered", result: drawn(won) });
  await vi.dynamicImportSettled();
  ending.stop();
  expect(takeWheel).toHaveBeenCalledTimes(isShown ? 1 : 0);
  if (isShown) {
    expect(takeWheel).toHaveBeenCalledWith(expect.any(Number), ["#8B5CF6", "#10b981"]);
  }
  expect(ending.scene()).toBe(isShown ? scene : null);
});

it("a scene that a browser cannot make keeps no prize from its winner", async () => {
  takeWheel.mockImplementation(() => {
    throw new Error("no animations here");
  });
  const { journey, ending } = prepare(false);
  journey.send({ type: "spin_pressed" });
  journey.send({ type: "spin_answered", result: drawn(reward) });
  await vi.dynamicImportSettled();
  ending.stop();
  expect(journey.current().step).toBe("result");
  expect(ending.scene()).toBeNull();
});
