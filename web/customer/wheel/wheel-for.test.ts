import { describe, expect, it } from "vitest";
import type { SpinResult } from "#domain/schemas/journey.ts";
import { makeCampaign, makeResult, REVIEW_ID } from "../testing/campaign.ts";
import { pictureOf, wheelFor } from "./wheel-for.ts";

const { segments } = makeCampaign();

function drawn(change: Partial<SpinResult>): SpinResult {
  return makeResult({
    segment_id: segments[2]?.id ?? "",
    segment_label: "50 points",
    reward: null,
    redemption_code: null,
    ...change,
  });
}

describe("wheelFor", () => {
  it("stops nowhere before the draw", () => {
    expect(wheelFor(segments, null)).toEqual({ segments, stopAt: null });
  });

  it("stops at the segment that the server drew", () => {
    expect(wheelFor(segments, drawn({}))).toEqual({ segments, stopAt: 2 });
  });

  it("shows what was drawn when the merchant has changed the wheel meanwhile", () => {
    const { segments: shown, stopAt } = wheelFor(
      segments,
      drawn({ segment_id: REVIEW_ID, segment_label: "Thé offert", segment_color: "#10B981" }),
    );
    expect(shown).toHaveLength(segments.length);
    expect(shown[stopAt ?? -1]).toMatchObject({ label: "Thé offert", color: "#10B981" });
    expect(shown.slice(1)).toEqual(segments.slice(1));
  });
});

describe("pictureOf", () => {
  it("is the picture of the segment that was drawn, while it is on the wheel", () => {
    const drawing = (solid: string) => ({ soft: "", solid, place: null });
    const campaign = makeCampaign({
      segments: segments.map((segment, place) =>
        place === 3 ? segment : { ...segment, picture: drawing(`picture ${place}`) },
      ),
    });
    expect(pictureOf(campaign, drawn({}))).toEqual(drawing("picture 2"));
    expect(pictureOf(campaign, drawn({ segment_id: segments[3]?.id ?? "" }))).toBeUndefined();
    expect(pictureOf(campaign, drawn({ segment_id: REVIEW_ID }))).toBeUndefined();
  });
});
