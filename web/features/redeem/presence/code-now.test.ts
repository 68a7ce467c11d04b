import { expect, it } from "vitest";
import { codeNow } from "./code-now.ts";

/** Which of the fetched codes the till's screen shows, by a clock that nobody sets. */

const board = { at: 1000, turns_in_ms: 12_000 };
const codes = ["111111", "222222", "333333"];

it.each([
  [1000, { code: "111111", secondsLeft: 12 }],
  [12_999, { code: "111111", secondsLeft: 1 }],
  [13_000, { code: "222222", secondsLeft: 30 }],
  [43_000, { code: "333333", secondsLeft: 30 }],
  [73_000, null],
])("after %i ms of the page it is as the server said", (now, shown) => {
  expect(codeNow(board, codes, now)).toEqual(shown);
});
