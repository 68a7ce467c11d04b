import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "#domain/text/new-id.ts";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { makeCampaign } from "../testing/campaign.ts";
import { forgetPlay, forgetPlayId, playIdOf, recallPlay, rememberPlay } from "./play-memory.ts";

const { id } = makeCampaign();
const place = { campaignId: id, way: "libre" };

beforeEach(() => {
  stubBrowser();
  forgetPlay(place);
  forgetPlayId(id);
});

afterEach(() => vi.unstubAllGlobals());

describe("the key of a spin without a review", () => {
  it("is the same for the same player until the answer has come", () => {
    const first = playIdOf(id, "zoe", newId);
    expect(playIdOf(id, "zoe", newId)).toBe(first);
    forgetPlayId(id);
    expect(playIdOf(id, "zoe", newId)).not.toBe(first);
  });

  it("is another one for another player with the same phone", () => {
    expect(playIdOf(id, "zoe", newId)).not.toBe(playIdOf(id, "max", newId));
  });
});

describe("what was typed on the wheel page", () => {
  it("stays in the tab, and goes with the result", () => {
    const draft = { name: "Zoé", email: "zoe@exem", phone: "" };
    rememberPlay(place, { step: "contact", name: "Zoé", contact: null, draft });
    expect(recallPlay(place)).toEqual({ step: "contact", name: "Zoé", contact: null, draft });
    expect(window.localStorage.getItem(`tournavis:${id}:play:libre`)).toBeNull();
    forgetPlay(place);
    expect(recallPlay(place)).toBeNull();
  });
});
