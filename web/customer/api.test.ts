import { afterEach, beforeEach, expect, it, vi } from "vitest";
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
import { REVIEW_ID } from "./testing/campaign.ts";

/** What the phone asks for; what the server answers is tried with the server itself. */

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
  ["campaign?slug=a%26b", () => fetchCampaign("a&b"), undefined, false],
  ["campaign?slug=a%26b&closed", () => fetchClosedCampaign("a&b"), undefined, false],
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
