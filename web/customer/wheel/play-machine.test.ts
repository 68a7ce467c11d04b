import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "../api.ts";
import type { PlayMode } from "../page-data.ts";
import { makeCampaign, makeResult } from "../testing/campaign.ts";
import { type PlayCommand, type PlayEvent, playTransition } from "./play-machine.ts";
import { type PlayState, startPlay } from "./play-state.ts";

const campaign = makeCampaign();
const lost: Failure = { kind: "network" };
const contact = { email: "zoe@exemple.fr" };
const result = makeResult({ reward: null, redemption_code: null });

function refused(code: string, status = 409): Failure {
  return { kind: "refused", status, code, message: code, details: {}, retryAfter: null };
}

function play(start: PlayState, events: PlayEvent[]) {
  let state = start;
  const commands: PlayCommand[] = [];
  for (const event of events) {
    const next = playTransition(state, event);
    state = next.state;
    commands.push(...next.commands);
  }
  return { state, commands };
}

const named: PlayEvent = { type: "name_submitted", name: "Zoé" };
const contacted: PlayEvent = { type: "contact_submitted", contact };
const pressed: PlayEvent = { type: "spin_pressed" };
const answered: PlayEvent = { type: "spin_answered", result };
const stopped: PlayEvent = { type: "wheel_stopped" };

describe("the way of the wheel page (specification, section 4.3)", () => {
  it.each<{ mode: PlayMode; first: string }>([
    { mode: "review", first: "ready" },
    { mode: "libre", first: "name" },
    { mode: "test", first: "name" },
  ])("in the mode $mode leads from loading to $first", ({ mode, first }) => {
    const { state } = play(startPlay(mode, null), [{ type: "campaign_loaded", campaign }]);
    expect(state.step).toBe(first);
    expect(startPlay(mode, campaign).step).toBe(first);
  });

  it("leads from loading to the error without a campaign", () => {
    const failure = refused("campaign_not_found", 404);
    const { state } = play(startPlay("review", null), [{ type: "campaign_failed", failure }]);
    expect(state).toMatchObject({ step: "error", failure });
  });

  it.each<PlayMode>(["libre", "test"])(
    "in the mode %s leads over name and contact to the wheel, and to the result",
    (mode) => {
      const steps: string[] = [];
      let state = startPlay(mode, campaign);
      for (const event of [named, contacted, pressed, answered, stopped]) {
        state = playTransition(state, event).state;
        steps.push(state.step);
      }
      expect(steps).toEqual(["contact", "ready", "spinning", "spinning", "result"]);
      expect(state.result).toEqual(result);
    },
  );

  it("spins in the name of the review, of the player, or of nobody", () => {
    expect(play(startPlay("review", campaign), [pressed]).commands).toEqual([
      { type: "spin", player: null },
    ]);
    expect(play(startPlay("libre", campaign), [named, contacted, pressed]).commands).toEqual([
      { type: "spin", player: { name: "Zoé", contact } },
    ]);
    expect(play(startPlay("test", campaign), [named, contacted, pressed]).commands).toEqual([
      { type: "spin", player: null },
    ]);
  });

  it("keeps what was drawn before the wheel has stopped", () => {
    const { state, commands } = play(startPlay("review", campaign), [pressed, answered]);
    expect(commands.at(-1)).toEqual({ type: "keep_result", result });
    expect(state.step).toBe("spinning");
  });

  it("does not stop before the server has drawn", () => {
    expect(play(startPlay("review", campaign), [pressed, stopped]).state.step).toBe("spinning");
  });

  it.each([
    "already_played",
    "spins_used_up",
    "nothing_to_draw",
    "too_many_attempts",
    "draw_failed",
  ])("returns to the wheel when the spin fails: %s", (code) => {
    const failure = refused(code);
    const { state } = play(startPlay("review", campaign), [
      pressed,
      { type: "spin_failed", failure },
    ]);
    expect(state).toMatchObject({ step: "ready", failure, result: null });
  });

  it("spins again with what is known after a lost network, and forgets the failure", () => {
    const { state, commands } = play(startPlay("libre", campaign), [
      named,
      contacted,
      pressed,
      { type: "spin_failed", failure: lost },
      pressed,
    ]);
    expect(state).toMatchObject({ step: "spinning", failure: null });
    expect(commands[1]).toEqual(commands[0]);
  });

  it.each(["campaign_not_found", "review_not_found", "invalid_request"])(
    "ends at an error that no further spin can mend: %s",
    (code) => {
      const failure = refused(code, 404);
      const { state } = play(startPlay("review", campaign), [
        pressed,
        { type: "spin_failed", failure },
      ]);
      expect(state).toMatchObject({ step: "error", failure });
    },
  );

  it("ends at an error when the address is incomplete", () => {
    const { state } = play(startPlay("review", campaign), [{ type: "parameters_missing" }]);
    expect(state.step).toBe("error");
  });

  it("returns to the wheel from a test, and from nothing else", () => {
    const test = play(startPlay("test", campaign), [named, contacted, pressed, answered, stopped]);
    expect(play(test.state, [{ type: "test_again" }]).state).toMatchObject({
      step: "ready",
      result: null,
    });
    const real = play(startPlay("review", campaign), [pressed, answered, stopped]);
    expect(play(real.state, [{ type: "test_again" }]).state.step).toBe("result");
  });
});

describe("going back and coming back", () => {
  it("revisits the steps that are known", () => {
    const { state } = play(startPlay("libre", campaign), [named, contacted]);
    const back = play(state, [{ type: "step_revisited", step: "name" }]).state;
    expect(back.step).toBe("name");
    expect(play(back, [{ type: "step_revisited", step: "ready" }]).state.step).toBe("ready");
  });

  it("does not jump over a step that has not been filled in", () => {
    const start = startPlay("libre", campaign);
    expect(play(start, [{ type: "step_revisited", step: "ready" }]).state.step).toBe("name");
    expect(play(start, [{ type: "step_revisited", step: "contact" }]).state.step).toBe("name");
  });

  it("does not go back behind a result or a turning wheel", () => {
    const spinning = play(startPlay("libre", campaign), [named, contacted, pressed]).state;
    expect(play(spinning, [{ type: "step_revisited", step: "name" }]).state.step).toBe("spinning");
    const done = play(spinning, [answered, stopped]).state;
    expect(play(done, [{ type: "step_revisited", step: "ready" }]).state.step).toBe("result");
  });

  it("takes up what was typed, or what was drawn", () => {
    const draft = { name: "", email: "", phone: "" };
    const start = startPlay("libre", campaign);
    const typed = play(start, [
      { type: "resumed", saved: { step: "ready", name: "Zoé", contact, draft } },
    ]).state;
    expect(typed).toMatchObject({ step: "ready", name: "Zoé", contact });
    const drawn = play(start, [{ type: "resumed", saved: { step: "result", result } }]).state;
    expect(drawn).toMatchObject({ step: "result", result });
  });

  it("does not take up a wheel without a contact", () => {
    const draft = { name: "", email: "", phone: "" };
    const { state } = play(startPlay("libre", campaign), [
      { type: "resumed", saved: { step: "ready", name: "Zoé", contact: null, draft } },
    ]);
    expect(state).toMatchObject({ step: "name", name: "Zoé" });
  });
});

describe("what makes no sense changes nothing", () => {
  const failed: PlayEvent = { type: "spin_failed", failure: lost };
  const back: PlayEvent = { type: "step_revisited", step: "name" };
  const again: PlayEvent = { type: "test_again" };
  const missing: PlayEvent = { type: "parameters_missing" };
  const later = [named, contacted, pressed, answered, failed, stopped, again, back, missing];
  const ready = play(startPlay("libre", campaign), [named, contacted]).state;
  const spinning = play(ready, [pressed]).state;
  const known = play(spinning, [answered]).state;
  const done = play(known, [stopped]).state;
  const error = play(startPlay("review", campaign), [missing]).state;

  it.each<[string, PlayState, PlayEvent[]]>([
    ["loading", startPlay("libre", null), later],
    ["name", startPlay("libre", campaign), [contacted, pressed, answered, failed, stopped, again]],
    ["ready", ready, [named, contacted, answered, failed, stopped, again]],
    ["spinning", spinning, [named, contacted, pressed, stopped, back, again, missing]],
    [
      "spinning to what is known",
      known,
      [named, contacted, pressed, answered, failed, back, again],
    ],
    [
      "the result",
      done,
      [named, contacted, pressed, answered, failed, stopped, back, again, missing],
    ],
    ["the error", error, later],
  ])("at %s", (_, state, senseless) => {
    for (const event of senseless) {
      const next = playTransition(state, event);
      expect(next.state).toBe(state);
      expect(next.commands).toEqual([]);
    }
  });

  it("after the page could not be loaded", () => {
    const { state } = play(startPlay("libre", null), [{ type: "campaign_failed", failure: lost }]);
    expect(playTransition(state, { type: "campaign_loaded", campaign }).state).toBe(state);
  });

  it("takes up nothing in the test mode, nor once something was done", () => {
    const saved: PlayEvent = { type: "resumed", saved: { step: "result", result } };
    for (const state of [startPlay("test", campaign), ready, spinning, done]) {
      expect(playTransition(state, saved).state).toBe(state);
    }
  });
});

const events: fc.Arbitrary<PlayEvent> = fc.oneof(
  fc.constantFrom<PlayEvent>(
    { type: "campaign_loaded", campaign },
    { type: "campaign_failed", failure: lost },
    { type: "parameters_missing" },
    named,
    contacted,
    { type: "step_revisited", step: "name" },
    { type: "step_revisited", step: "contact" },
    { type: "step_revisited", step: "ready" },
    { type: "step_revisited", step: "result" },
    { type: "spin_failed", failure: lost },
    { type: "spin_failed", failure: refused("already_played") },
    { type: "spin_failed", failure: refused("campaign_not_found", 404) },
    stopped,
    { type: "test_again" },
    { type: "resumed", saved: { step: "result", result } },
  ),
  fc.constant(pressed),
  fc.constant(answered),
);
const modes = fc.constantFrom<PlayMode>("review", "libre", "test");

describe("whatever happens", () => {
  it("never leaves a valid state", () => {
    fc.assert(
      fc.property(
        modes,
        fc.boolean(),
        fc.array(events, { maxLength: 40 }),
        (mode, isLoaded, list) => {
          let state = startPlay(mode, isLoaded ? campaign : null);
          for (const event of list) {
            state = playTransition(state, event).state;
            const { step, name, contact: way, result: drawn } = state;
            if (state.campaign === null) expect(["loading", "error"]).toContain(step);
            if (step === "result") expect(drawn).not.toBeNull();
            if (step === "ready" || step === "name" || step === "contact") expect(drawn).toBeNull();
            if (mode !== "review" && (step === "ready" || step === "spinning") && drawn === null) {
              expect(name !== "" && way !== null).toBe(true);
            }
            if (mode === "review") expect(["name", "contact"]).not.toContain(step);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("asks for one spin at a time, and for none once there is a result", () => {
    fc.assert(
      fc.property(modes, fc.array(events, { maxLength: 40 }), (mode, list) => {
        let state = startPlay(mode, campaign);
        let isUnderWay = false;
        let results = 0;
        for (const event of list) {
          const next = playTransition(state, event);
          if (
            next.state !== state &&
            (event.type === "spin_answered" || event.type === "spin_failed")
          ) {
            isUnderWay = false;
          }
          for (const command of next.commands) {
            if (command.type === "keep_result") {
              results += 1;
              continue;
            }
            expect(isUnderWay).toBe(false);
            isUnderWay = true;
          }
          state = next.state;
        }
        if (mode !== "test") expect(results).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
  });
});
