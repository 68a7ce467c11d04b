import { expect, it } from "vitest";
import { REVIEW_ID } from "../testing/campaign.ts";
import { inWords } from "./said-result.ts";

const drawn = {
  spin_id: REVIEW_ID,
  segment_id: REVIEW_ID,
  segment_label: "Cinéma",
  segment_color: "#8B5CF6",
  reward: { id: REVIEW_ID, name: "Ticket de cinéma", type: "gift" as const },
  redemption_code: "WINABCD2345",
  expires_at: null,
  nonce: "n",
};
const words = [
  ["Cinéma", "Cinema"],
  ["Ticket de cinéma", "Cinema ticket"],
];

it("a draw is called as the language of the page calls it, and is the same in all else", () => {
  expect(inWords(drawn, words)).toEqual({
    ...drawn,
    segment_label: "Cinema",
    reward: { ...drawn.reward, name: "Cinema ticket" },
  });
  expect(inWords({ ...drawn, reward: null }, words)).toMatchObject({ reward: null });
  expect(inWords(drawn, [["Café", "Coffee"]])).toEqual(drawn);
  expect(inWords(drawn, undefined)).toBe(drawn);
});
