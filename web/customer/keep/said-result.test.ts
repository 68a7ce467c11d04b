import { expect, it } from "vitest";
import { makeResult, REVIEW_ID } from "../testing/campaign.ts";
import { inWords } from "./said-result.ts";

const reward = { id: REVIEW_ID, name: "Ticket de cinéma", type: "gift" as const };
const drawn = makeResult({ segment_label: "Cinéma", reward });
const words = [
  ["Cinéma", "Cinema"],
  ["Ticket de cinéma", "Cinema ticket"],
];

it("a draw is called as the language of the page calls it, and is the same in all else", () => {
  expect(inWords(drawn, words)).toEqual({
    ...drawn,
    segment_label: "Cinema",
    reward: { ...reward, name: "Cinema ticket" },
  });
  expect(inWords({ ...drawn, reward: null }, words)).toMatchObject({ reward: null });
  expect(inWords(drawn, [["Café", "Coffee"]])).toEqual(drawn);
  expect(inWords(drawn, undefined)).toBe(drawn);
});
