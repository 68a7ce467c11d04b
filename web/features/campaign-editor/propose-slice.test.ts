import { describe, expect, it } from "vitest";
import { SEGMENTS_MAX } from "#domain/schemas/campaigns.ts";
import { proposeSlice } from "./propose-slice.ts";

const reward = { id: "r", name: "Thé offert", active: true, stock: -1, is_archived: false };
const slice = (weight: number, rewardId = "") => ({
  key: `${weight}`,
  id: null,
  rewardId,
  label: "Part",
  color: "#8B5CF6",
  weight,
});
const weightsWith = (...weights: number[]) =>
  proposeSlice(
    weights.map((weight) => slice(weight)),
    reward,
  )?.segments.map(({ weight }) => weight);

describe("a reward that is put on a wheel", () => {
  it("takes an equal share from the others, in proportion, and the total stays 100", () => {
    expect(weightsWith(50, 50)).toEqual([34, 33, 33]);
    expect(weightsWith(80, 20)).toEqual([54, 13, 33]);
    expect(weightsWith(100)).toEqual([50, 50]);
    expect(weightsWith(1, 99)).toEqual([1, 66, 33]);
    // What cannot be drawn stays so.
    expect(weightsWith(0, 100)).toEqual([0, 67, 33]);
  });

  it("is not proposed twice, nor once archived, nor where no slice has room", () => {
    expect(proposeSlice([slice(100, "r")], reward)).toBeNull();
    expect(proposeSlice([slice(100)], { ...reward, is_archived: true })).toBeNull();
    expect(proposeSlice([slice(100)], undefined)).toBeNull();
    expect(
      proposeSlice(
        Array.from({ length: SEGMENTS_MAX }, () => slice(1)),
        reward,
      ),
    ).toBeNull();
  });
});
