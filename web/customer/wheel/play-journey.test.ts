import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { json, refuse } from "../../../supabase/functions/_shared/http/respond.ts";
import { forgetPlay, recallPlay } from "../memory/play-memory.ts";
import { playAgainDay } from "../memory/played-memory.ts";
import { dropPrize, keepPrize, keptPrizes } from "../memory/prize-memory.ts";
import { forget, hasRecord, recordKey } from "../memory/storage.ts";
import { forgetVisit, recallVisit, rememberVisit } from "../memory/visit-memory.ts";
import type { PlayMode } from "../page-data.ts";
import { forgetPass, rememberPass } from "../presence/presence-memory.ts";
import { forgetDraft, rememberDraft } from "../review-flow/form-draft.ts";
import { makeCampaign, makeResult, REVIEW_ID } from "../testing/campaign.ts";
import { stubPage } from "../testing/page-stubs.ts";
import { startPlayJourney } from "./play-journey.ts";

const campaign = makeCampaign();
const VISIT_ID = "00000000-0000-4000-8000-000000000077";
const contact = { email: "zoe@exemple.fr" };
const drawn = makeResult({ spin_id: "00000000-0000-4000-8000-000000000055" });
const search = `?review_id=${REVIEW_ID}`;

const start = (mode: PlayMode) => startPlayJourney("demo", mode, campaign);

/** A player without a review, before the wheel. */
function startNamed() {
  const journey = start("libre");
  journey.submitName("Zoé Blanc");
  journey.send({ type: "contact_submitted", contact });
  return journey;
}

/** Asks for a spin, and waits until the request is on its way. */
async function press(journey: ReturnType<typeof start>, { asked }: ReturnType<typeof stubPage>) {
  const before = asked.length;
  journey.send({ type: "spin_pressed" });
  await vi.waitFor(() => expect(asked.length).toBe(before + 1));
  return asked.at(-1);
}

/** Whether the phone knows that somebody has played with it. */
const hasPlayed = () => hasRecord("phone", recordKey(campaign.id, "played"));

function forgetAll() {
  for (const way of ["libre", "test", REVIEW_ID]) forgetPlay({ campaignId: campaign.id, way });
  forgetVisit(campaign.id);
  forgetDraft(campaign.id);
  dropPrize(campaign.id, drawn);
}

beforeEach(() => {
  stubPage();
  forgetAll();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("without a review", () => {
  it("is taken up after a reload where it was left, with what stood in the fields", () => {
    const page = stubPage();
    const left = start("libre");
    left.keepDraft({ name: "Zo" });
    expect(left.submitName("")).toEqual(expect.stringMatching(/./));
    expect(left.current().step).toBe("name");
    expect(left.submitName("  Zoé Blanc ")).toBeUndefined();
    left.keepDraft({ email: "zoe@exem" });
    expect(page.places).toEqual([{ step: "name" }, { step: "contact" }]);

    stubPage({ keepStorage: true, arrival: "reload" });
    const again = start("libre");
    expect(again.current()).toMatchObject({ step: "contact", name: "Zoé Blanc" });
    expect(again.draft()).toEqual({ name: "Zo", email: "zoe@exem", phone: "" });
    again.send({ type: "contact_submitted", contact });

    stubPage({ keepStorage: true, arrival: "reload" });
    expect(start("libre").current()).toMatchObject({ step: "ready", contact });
  });

  it("keeps what stood in the first field, and a player who comes back by the link", () => {
    start("libre").keepDraft({ name: "Zo" });
    stubPage({ keepStorage: true, arrival: "reload" });
    expect(start("libre").draft().name).toBe("Zo");
    startNamed();
    stubPage({ keepStorage: true, arrival: "navigate" });
    expect(start("libre").current()).toMatchObject({ step: "ready", name: "Zoé Blanc", contact });
  });

  it("notes from a refusal when its player may play again, and nothing from a draw", async () => {
    const details = { next_play_at: "2027-01-05T12:00:00Z" };
    const refused = stubPage({ answer: () => refuse("already_played", { details }) });
    const journey = startNamed();
    await press(journey, refused);
    await vi.waitFor(() => expect(journey.current().step).toBe("ready"));
    expect(playAgainDay(campaign, new Date("2027-01-01T12:00:00Z"))).toBe("2027-01-05");

    forget("phone", recordKey(campaign.id, "played"));
    const drawing = stubPage({ keepStorage: true, answer: () => json(drawn) });
    await press(journey, drawing);
    await vi.waitFor(() => expect(journey.current().result).toEqual(drawn));
  });

  it("goes back by the browser's history", () => {
    const page = stubPage();
    const journey = startNamed();
    expect(page.places).toEqual([{ step: "name" }, { step: "contact" }, { step: "ready" }]);
    page.goTo({ step: "contact" });
    expect(journey.current().step).toBe("contact");
    page.goTo({ step: "name" });
    expect(journey.current().step).toBe("name");
    page.goTo({ step: "result" });
    page.goTo({ other: "page" });
    expect(journey.current().step).toBe("name");
    expect(page.places).toHaveLength(3);
  });

  it("asks with the player's contact, and with the same key until an answer has come", async () => {
    const page = stubPage({ hasNetwork: false });
    const journey = startNamed();
    const first = await press(journey, page);
    expect(first).toEqual({
      path: "spin_wheel",
      body: {
        campaign_id: campaign.id,
        locale: "fr",
        play_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        contact: { name: "Zoé Blanc", ...contact },
        device_fp: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    await vi.waitFor(() => expect(journey.current().step).toBe("ready"));
    expect(journey.current().failure).toEqual({ kind: "network" });
    const later = stubPage({ keepStorage: true });
    expect(await press(journey, later)).toEqual(first);
    journey.send({ type: "spin_answered", result: drawn });
    const other = await press(startNamed(), later);
    expect(other?.body).toMatchObject({ contact: { name: "Zoé Blanc" } });
    expect(other?.body).not.toMatchObject({ play_id: playIdIn(first?.body) });
  });

  it("asks for each player with a key of their own, though no answer has come", async () => {
    const page = stubPage({ hasNetwork: false });
    const first = await press(startNamed(), page);
    forgetPlay({ campaignId: campaign.id, way: "libre" });
    const other = start("libre");
    other.submitName("Léa Noir");
    other.send({ type: "contact_submitted", contact });
    const second = await press(other, page);
    expect(second?.body).toMatchObject({ contact: { name: "Léa Noir" } });
    expect(playIdIn(second?.body)).not.toBe(playIdIn(first?.body));
  });

  it("finds the network lost where the phone cannot say which it is", async () => {
    const page = stubPage();
    const journey = startNamed();
    vi.spyOn(crypto.subtle, "digest").mockRejectedValue(new TypeError("Failed to fetch"));
    journey.send({ type: "spin_pressed" });
    await vi.waitFor(() => expect(journey.current().failure).toEqual({ kind: "network" }));
    expect(journey.current().step).toBe("ready");
    expect(page.asked).toEqual([]);
  });

  it("keeps what was drawn while the wheel turns: a reload shows it, a new arrival plays anew", async () => {
    const page = stubPage();
    const journey = startNamed();
    await press(journey, page);
    journey.send({ type: "spin_answered", result: drawn });
    expect(journey.current().step).toBe("spinning");
    // One goes back to the contact, and to no wheel that turns.
    expect(page.places).toEqual([{ step: "name" }, { step: "contact" }, { step: "spinning" }]);
    expect(journey.firstName()).toBe("Zoé");
    expect(journey.isKept()).toBe(true);
    expect(keptPrizes(campaign.id)).toEqual([{ reviewId: "", result: drawn }]);
    expect(hasPlayed()).toBe(true);

    stubPage({ keepStorage: true, arrival: "reload" });
    const reloaded = start("libre");
    expect(reloaded.current()).toMatchObject({ step: "result", result: drawn });
    expect(reloaded.firstName()).toBe("Zoé");

    stubPage({ keepStorage: true, arrival: "navigate" });
    expect(start("libre").current()).toMatchObject({ step: "name", name: "", result: null });
    expect(recallPlay({ campaignId: campaign.id, way: "libre" })).toBeNull();
  });

  it("keeps what was drawn once the wheel has stopped, too", async () => {
    const page = stubPage();
    const journey = startNamed();
    await press(journey, page);
    journey.send({ type: "spin_answered", result: drawn });
    journey.send({ type: "wheel_stopped" });
    expect(journey.current().step).toBe("result");
    stubPage({ keepStorage: true, arrival: "reload" });
    expect(start("libre").current()).toMatchObject({ step: "result", result: drawn });
  });

  it("keeps no prize of a loss, and says when the phone keeps nothing", async () => {
    const page = stubPage();
    const lost = startNamed();
    await press(lost, page);
    lost.send({ type: "spin_answered", result: { ...drawn, reward: null, redemption_code: null } });
    expect(keptPrizes(campaign.id)).toEqual([]);
    expect(lost.isKept()).toBe(true);
    forgetAll();
    const forbidden = stubPage({ hasStorage: false });
    const won = startNamed();
    await press(won, forbidden);
    won.send({ type: "spin_answered", result: drawn });
    expect(won.isKept()).toBe(false);
  });

  it("knows the name of who began the review's form", () => {
    const typed = {
      first_name: "Zoé",
      last_name: "",
      contact: "email" as const,
      email: "",
      phone: "",
    };
    rememberDraft(campaign.id, { ...typed, consent_marketing: false });
    expect(start("libre").draft().name).toBe("Zoé");
    expect(start("test").draft().name).toBe("");
  });

  it("ends a visit that had not come to a review, and leaves another", async () => {
    const page = stubPage();
    const visit = { visitId: VISIT_ID, feedback: "", firstName: "Zoé" };
    const play = async () => {
      const journey = startNamed();
      await press(journey, page);
      journey.send({ type: "spin_answered", result: drawn });
    };
    rememberVisit(campaign.id, { ...visit, saved: { step: "ready", reviewId: REVIEW_ID } });
    await play();
    expect(recallVisit(campaign.id).visitId).toBe(VISIT_ID);
    forgetAll();
    rememberVisit(campaign.id, { ...visit, saved: null });
    await play();
    expect(recallVisit(campaign.id).visitId).not.toBe(VISIT_ID);
  });
});

const playIdIn = (body: unknown) =>
  typeof body === "object" && body !== null && "play_id" in body ? body.play_id : undefined;

describe("after a review", () => {
  it.each(["", "?review_id=nobody"])("ends at an error where the address has none: %j", (given) => {
    const page = stubPage({ search: given });
    expect(start("review").current().step).toBe("error");
    expect(page.asked).toEqual([]);
  });

  it("asks in the review's name, and says nothing of who gave it", async () => {
    const page = stubPage({ search });
    const asked = await press(start("review"), page);
    expect(asked?.body).toEqual({
      campaign_id: campaign.id,
      locale: "fr",
      review_id: REVIEW_ID,
      device_fp: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("asks for a proof of presence before the wheel turns, and sends the pass that it gave", async () => {
    const page = stubPage({ search });
    const journey = startPlayJourney("demo", "review", makeCampaign({ presence: "word" }));
    journey.send({ type: "spin_pressed" });
    expect(journey.current()).toMatchObject({
      step: "ready",
      failure: { code: "presence_missing" },
    });
    expect(page.asked).toEqual([]);
    rememberPass(campaign.id, "pass");
    const asked = await press(journey, page);
    expect(asked?.body).toMatchObject({ review_id: REVIEW_ID, presence: "pass" });
    forgetPass(campaign.id);
  });

  it.each([
    [REVIEW_ID, "Zoé"],
    ["00000000-0000-4000-8000-000000000098", ""],
  ])("calls by name who gave this very review: %s", (reviewId, firstName) => {
    rememberVisit(campaign.id, {
      visitId: VISIT_ID,
      feedback: "",
      firstName: "Zoé",
      saved: { step: "ready", reviewId },
    });
    stubPage({ search, keepStorage: true });
    expect(start("review").firstName()).toBe(firstName);
  });

  it("ends the visit with the spin, and shows the prize again to whoever comes back", async () => {
    rememberVisit(campaign.id, {
      visitId: VISIT_ID,
      feedback: "",
      firstName: "Zoé",
      saved: { step: "ready", reviewId: REVIEW_ID },
    });
    const page = stubPage({ search, keepStorage: true });
    const journey = start("review");
    await press(journey, page);
    journey.send({ type: "spin_answered", result: drawn });
    expect(journey.firstName()).toBe("Zoé");
    expect(recallVisit(campaign.id).visitId).not.toBe(VISIT_ID);
    forgetPlay({ campaignId: campaign.id, way: REVIEW_ID });

    stubPage({ search, keepStorage: true });
    expect(start("review").current()).toMatchObject({ step: "result", result: drawn });
  });

  it("does not show the prize of another review", () => {
    keepPrize(campaign.id, { reviewId: "", result: drawn });
    stubPage({ search, keepStorage: true });
    expect(start("review").current().step).toBe("ready");
  });

  it("writes nothing down before the spin", () => {
    stubPage({ search });
    start("review").keepDraft({ name: "Zoé" });
    expect(recallPlay({ campaignId: campaign.id, way: REVIEW_ID })).toBeNull();
  });
});

describe("to try it", () => {
  it("asks without a word of who tries, and keeps nothing", async () => {
    const page = stubPage();
    const journey = start("test");
    journey.submitName("Zoé Blanc");
    journey.send({ type: "contact_submitted", contact });
    const first = await press(journey, page);
    expect(first?.body).toEqual({
      campaign_id: campaign.id,
      test: true,
      device_fp: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    journey.send({ type: "spin_answered", result: drawn });
    expect(journey.firstName()).toBe("Zoé");
    journey.send({ type: "wheel_stopped" });
    journey.send({ type: "test_again" });
    expect((await press(journey, page))?.body).not.toEqual(first?.body);
    expect(recallPlay({ campaignId: campaign.id, way: "test" })).toBeNull();
    expect(keptPrizes(campaign.id)).toEqual([]);
    expect(hasPlayed()).toBe(false);
  });
});

describe("where the page came without its campaign", () => {
  it("asks for it, and shows that the network is lost", async () => {
    const page = stubPage({ hasNetwork: false });
    const journey = startPlayJourney("la roue", "libre", null);
    expect(journey.current().step).toBe("loading");
    expect(page.asked).toEqual([{ path: "campaign?slug=la%20roue&lang=fr", body: null }]);
    await vi.waitFor(() => expect(journey.current().step).toBe("error"));
    expect(journey.current().failure).toEqual({ kind: "network" });
  });
});
