import { describe, expect, it } from "vitest";
import { SEGMENTS_MAX } from "#domain/schemas/campaigns.ts";
import { proposeSegment } from "./propose-segment.ts";

const reward = {
  id: "r",
  name: "Thé offert",
  active: true,
  stock: -1,
  is_archived: false,
  value: null,
  picture: null,
  home: null,
};
const segment = (weight: number, rewardId = "") => ({
  key: `${weight}`,
  id: null,
  rewardId,
  label: "Part",
  color: "#8B5CF6",
  weight,
});
const weightsWith = (...weights: number[]) =>
  proposeSegment(
    weights.map((weight) => segment(weight)),
    reward,
  )?.segments.map(({ weight }) => weight);

describe("a reward that is put on a wheel", () => {
  it("takes an equal share from the others, in proportion, and the total stays 100", () => {
    expect(weightsWith(50, 50)).toEqual([34, 33, 33]);
    expect(weightsWith(80, 20)).toEqual([54, 13, 33]);
    expect(weightsWith(100)).toEqual([50, 50]);
    expect(weightsWith(1, 99)).toEqual([1, 66, 33]);
    // A segment that cannot be drawn stays so.
    expect(weightsWith(0, 100)).toEqual([0, 67, 33]);
  });

  it("is not proposed twice, nor once archived, nor where no segment has room", () => {
    expect(proposeSegment([segment(100, "r")], reward)).toBeNull();
    expect(proposeSegment([segment(100)], { ...reward, is_archived: true })).toBeNull();
    expect(proposeSegment([segment(100)], undefined)).toBeNull();
    expect(
      proposeSegment(
        Array.from({ length: SEGMENTS_MAX }, () => segment(1)),
        reward,
      ),
    ).toBeNull();
  });
});
