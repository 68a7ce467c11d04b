import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchCampaign, recordReview, recordReviewClick } from "./api.ts";
import { makeCampaign, REVIEW_ID } from "./testing/campaign.ts";

const campaign = makeCampaign();
const review = {
  campaign_id: campaign.id,
  visit_id: REVIEW_ID,
  end_user: { first_name: "Zoé", last_name: "Lambert", email: "zoe@exemple.fr" },
  rating: 5,
};

function answerWith(response: Response | Error) {
  const fetch = vi.fn(async () => {
    if (response instanceof Error) throw response;
    return response;
  });
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a call", () => {
  it("sends JSON that outlives the page, and parses the answer", async () => {
    const answer = { review_id: REVIEW_ID, next: "ready", google_review_url: null };
    const fetch = answerWith(Response.json(answer, { status: 201 }));
    expect(await recordReview(review)).toEqual({ ok: true, value: answer });
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      "/functions/v1/review_record",
      expect.objectContaining({ method: "POST", body: JSON.stringify(review), keepalive: true }),
    );
  });

  it("asks the project that a page of a static host names", async () => {
    const fetch = answerWith(Response.json(campaign));
    const dataset = { project: "https://projet.exemple.fr" };
    vi.stubGlobal("document", { documentElement: { dataset } });
    await fetchCampaign("lucette");
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      "https://projet.exemple.fr/functions/v1/campaign?slug=lucette",
      expect.anything(),
    );
  });

  it("asks for a campaign by its slug", async () => {
    const fetch = answerWith(Response.json(campaign));
    expect(await fetchCampaign("été")).toEqual({ ok: true, value: campaign });
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      "/functions/v1/campaign?slug=%C3%A9t%C3%A9",
      expect.not.objectContaining({ method: "POST" }),
    );
  });

  it("takes an answer without a body", async () => {
    answerWith(new Response(null, { status: 204 }));
    const click = { review_id: REVIEW_ID, campaign_id: campaign.id };
    expect(await recordReviewClick(click)).toEqual({ ok: true, value: undefined });
  });

  it("tells a refusal by its code, with its details and its wait", async () => {
    const details = { next_play_at: "2026-11-22T14:05:00+01:00" };
    answerWith(
      Response.json(
        { error: { code: "too_many_attempts", message: "Trop d'essais.", details } },
        { status: 429, headers: { "Retry-After": "40" } },
      ),
    );
    expect(await recordReview(review)).toEqual({
      ok: false,
      failure: {
        kind: "refused",
        status: 429,
        code: "too_many_attempts",
        message: "Trop d'essais.",
        details,
        retryAfter: 40,
      },
    });
  });

  it("knows a proxy's page for what it is", async () => {
    answerWith(new Response("<h1>502</h1>", { status: 502 }));
    expect(await recordReview(review)).toMatchObject({
      ok: false,
      failure: { kind: "refused", status: 502, code: "", message: "", retryAfter: null },
    });
  });

  it.each([new TypeError("Failed to fetch"), new Response("{"), Response.json({ next: "moon" })])(
    "takes what is lost or garbled on the way for a lost network",
    async (response) => {
      answerWith(response);
      expect(await recordReview(review)).toEqual({ ok: false, failure: { kind: "network" } });
    },
  );

  it("gives up after ten seconds", async () => {
    vi.useFakeTimers();
    vi.stubGlobal(
      "fetch",
      (_: string, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", reject)),
    );
    const call = recordReview(review);
    let isOver = false;
    void call.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual({ ok: false, failure: { kind: "network" } });
  });
});
