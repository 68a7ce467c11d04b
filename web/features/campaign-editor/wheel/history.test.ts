import { expect, it } from "vitest";
import { type History, NO_HISTORY, remember, stepBack } from "./history.ts";

it("takes changes of one subject in a row back together, all others one by one", () => {
  let history: History<string> = NO_HISTORY;
  const changes: [string, string | null][] = [
    ["a", "weight 1"],
    ["b", "weight 1"],
    ["c", "weight 2"],
    ["d", null],
    ["e", null],
  ];
  for (const [before, subject] of changes) history = remember(history, before, subject);
  const states: string[] = [];
  for (let step = stepBack(history); step; step = stepBack(step.history)) states.push(step.state);
  expect(states).toEqual(["e", "d", "c", "a"]);
  expect(stepBack(NO_HISTORY)).toBeNull();
});

it("begins anew after a step back, and keeps 50 steps", () => {
  const once = remember<number>(NO_HISTORY, 1, "weight 1");
  const back = stepBack(once);
  expect(remember(back?.history ?? once, 1, "weight 1").past).toEqual([1]);
  let history: History<number> = NO_HISTORY;
  for (let n = 0; n < 60; n += 1) history = remember(history, n, null);
  expect([history.past[0], history.past.length]).toEqual([10, 50]);
});
