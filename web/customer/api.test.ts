import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { errorCopy } from "#domain/errors/errors.copy.ts";
import { errorStatus } from "#domain/errors/errors.ts";
import { noContent, refuse } from "../../supabase/functions/_shared/http/respond.ts";
import {
  fetchCampaign,
  fetchClosedCampaign,
  mailPrize,
  openPrize,
  prizeStatus,
  recordFeedback,
  recordReviewClick,
  recordScan,
  spinWheel,
} from "./api.ts";
import { fetchRules } from "./rules/fetch-rules.ts";
import { REVIEW_ID } from "./testing/campaign.ts";

/** Requests of the phone; the server's answers are tested with the server itself. */

type Sent = { address: string; options: RequestInit | undefined };
let sent: Sent[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  // A network that never answers.
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => {
    sent.push({ address, options });
    return new Promise((_, reject) => {
      options.signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const turn = { campaign_id: REVIEW_ID, spin_id: REVIEW_ID, nonce: REVIEW_ID };
const review = { review_id: REVIEW_ID };

it.each<[string, () => Promise<unknown>, unknown, boolean]>([
  ["campaign?slug=a%26b&lang=de", () => fetchCampaign("a&b", "de"), undefined, false],
  ["campaign?slug=a%26b&lang=it&closed", () => fetchClosedCampaign("a&b", "it"), undefined, false],
  ["scan", () => recordScan({ slug: "demo", source: "qr" }), { slug: "demo", source: "qr" }, true],
  [
    "review_record",
    () => recordFeedback({ ...review, feedback: "Bien" }),
    { ...review, feedback: "Bien" },
    true,
  ],
  [
    "public_review_click",
    () => recordReviewClick({ ...review, campaign_id: REVIEW_ID }),
    { ...review, campaign_id: REVIEW_ID },
    true,
  ],
  [
    "spin_wheel",
    () => spinWheel({ campaign_id: REVIEW_ID, ...review, device_fp: "f" }),
    { campaign_id: REVIEW_ID, ...review, device_fp: "f" },
    false,
  ],
  ["prize_status", () => prizeStatus(turn), turn, false],
  ["prize_status", () => openPrize(turn), turn, false],
  ["mail_prize", () => mailPrize(turn), turn, false],
])("%s is asked for, and given up after ten seconds", async (path, ask, body, outlivesPage) => {
  let answer: unknown;
  const asked = ask().then((given) => {
    answer = given;
  });
  const [{ address, options } = { address: "", options: undefined }] = sent;
  expect(address).toBe(`/functions/v1/${path}`);
  expect(options?.keepalive).toBe(outlivesPage);
  expect(options?.method).toBe(body === undefined ? undefined : "POST");
  expect(options?.body).toEqual(body === undefined ? undefined : JSON.stringify(body));
  expect(options?.headers).toEqual(
    body === undefined ? undefined : { "Content-Type": "application/json" },
  );
  await vi.advanceTimersByTimeAsync(9_999);
  expect(answer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(answer).toEqual({ ok: false, failure: { kind: "network" } });
});

/** The line brings an answer, as our server makes it or as something on the way does. */
const bring = (answer: Response) => vi.stubGlobal("fetch", async () => answer);

it("an answer without a body is one", async () => {
  bring(noContent());
  expect(await recordScan({ slug: "demo", source: "qr" })).toEqual({ ok: true, value: undefined });
});

it("a refusal comes with its code, its words and when to come back", async () => {
  const details = { next_play_at: "2026-11-24T00:00:00Z" };
  bring(refuse("already_played", { details, retryAfter: 60 }));
  expect(await mailPrize(turn)).toEqual({
    ok: false,
    failure: {
      kind: "refused",
      status: errorStatus.already_played,
      code: "already_played",
      message: errorCopy.already_played,
      details,
      retryAfter: 60,
    },
  });
  bring(refuse("prize_not_found"));
  expect(await mailPrize(turn)).toMatchObject({ failure: { details: {}, retryAfter: null } });
});

it("a refusal by something on the way has a status alone", async () => {
  bring(
    new Response("<h1>Bad gateway</h1>", {
      status: 502,
      headers: { "Retry-After": "Mon, 23 Nov" },
    }),
  );
  const failure = { kind: "refused", status: 502, code: "", message: "", details: {} };
  expect(await mailPrize(turn)).toEqual({ ok: false, failure: { ...failure, retryAfter: null } });
});

it.each(["{", JSON.stringify({ outcome: "other" })])(
  "an answer that was garbled on the way is none: %s",
  async (body) => {
    bring(new Response(body));
    expect(await prizeStatus(turn)).toEqual({ ok: false, failure: { kind: "network" } });
  },
);

it.each([
  ["campaign_rules?slug=a%26b", null],
  ["campaign_rules?slug=a%26b&version=3", "3"],
])("%s is asked for, and null where there is no such campaign", async (path, version) => {
  const asked = vi.fn(async () => refuse("campaign_not_found"));
  vi.stubGlobal("fetch", asked);
  expect(await fetchRules("a&b", version)).toBeNull();
  expect(asked.mock.calls).toEqual([[`/functions/v1/${path}`]]);
});
