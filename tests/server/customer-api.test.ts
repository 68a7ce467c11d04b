import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  fetchCampaign,
  fetchOrganization,
  recordReview,
  recordReviewClick,
} from "../../web/customer/api.ts";
import { createCampaign, createOrganization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/**
 * Results that the phone pages make of the server's real answers, and of a line that is at fault.
 */

let server: TestServer;
let campaign: Awaited<ReturnType<typeof createCampaign>>;
let org: Awaited<ReturnType<typeof createOrganization>>;

beforeAll(async () => {
  server = await startTestServer();
  org = await createOrganization(server.database.sql);
  campaign = await createCampaign(server.database.sql, { orgId: org.id, storeId: org.storeId });
});
afterAll(() => server.stop());

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page that asks this origin, as one of a static host does. */
function openPage(project: string): void {
  vi.stubGlobal("document", { documentElement: { dataset: { project } } });
}

const review = (rating = 5) => ({
  campaign_id: campaign.id,
  visit_id: crypto.randomUUID(),
  end_user: {
    first_name: "Zoé",
    last_name: "Lambert",
    email: `zoe-${crypto.randomUUID()}@exemple.fr`,
  },
  rating,
});

describe("a call", () => {
  it("stores a rating, once, and reads what comes next", async () => {
    openPage(server.url);
    const body = review();
    const first = await recordReview(body);
    expect(first).toMatchObject({ ok: true, value: { next: "ready" } });
    expect(await recordReview(body)).toEqual(first);
    const [row] = await server.database.sql<{ count: number }[]>`
      select count(*)::int as count from public.pre_spin_reviews where campaign_id = ${campaign.id}`;
    expect(row?.count).toBe(1);
  });

  it("asks for a campaign in the language of the page", async () => {
    openPage(server.url);
    const labelIn = async (language: "fr" | "en") => {
      const answer = await fetchCampaign(campaign.slug, language);
      return answer.ok ? answer.value.segments.at(-1)?.label : null;
    };
    // A wheel that nobody has drawn: ours, in each language.
    expect([await labelIn("fr"), await labelIn("en")]).toEqual(["Pas de chance", "No luck"]);
  });

  it("asks for a campaign by its slug, whatever stands in it", async () => {
    openPage(server.url);
    expect(await fetchCampaign(campaign.slug, "fr")).toMatchObject({
      ok: true,
      value: { id: campaign.id, slug: campaign.slug },
    });
    expect(await fetchCampaign("été/../&slug=x", "fr")).toMatchObject({
      ok: false,
      failure: { kind: "refused", status: 404, code: "campaign_not_found" },
    });
  });

  it("asks for the open campaigns of an organisation by its slug", async () => {
    openPage(server.url);
    expect(await fetchOrganization(org.slug, "fr")).toMatchObject({
      ok: true,
      value: { slug: org.slug, campaigns: [{ slug: campaign.slug }] },
    });
    for (const unknown of ["aucune", "été/../&slug=x", campaign.slug]) {
      expect(await fetchOrganization(unknown, "fr")).toMatchObject({
        ok: false,
        failure: { kind: "refused", status: 404, code: "not_found" },
      });
    }
  });

  it("takes an answer without a body", async () => {
    openPage(server.url);
    const stored = await recordReview(review());
    if (!stored.ok) throw new Error("not stored");
    const click = { review_id: stored.value.review_id, campaign_id: campaign.id };
    expect(await recordReviewClick(click)).toEqual({ ok: true, value: undefined });
  });

  it("tells a refusal by its code, with its details and its wait", async () => {
    openPage(server.url);
    expect(await recordReview({ ...review(), rating: 9 })).toMatchObject({
      ok: false,
      failure: {
        kind: "refused",
        status: 400,
        code: "invalid_request",
        message: "Paramètres manquants",
        details: { fields: ["rating"] },
        retryAfter: null,
      },
    });
    // One person may rate twenty visits an hour.
    const { end_user } = review();
    let answer = await recordReview({ ...review(), end_user });
    for (let n = 0; answer.ok && n < 20; n += 1) {
      answer = await recordReview({ ...review(), end_user });
    }
    expect(answer).toMatchObject({
      ok: false,
      failure: { status: 429, code: "too_many_attempts", retryAfter: expect.any(Number) },
    });
  });
});

describe("a line at fault", () => {
  let line: Server | undefined;
  afterEach(() => {
    line?.closeAllConnections();
    line?.close();
  });

  /** Something between the page and the server that answers by itself, or does not. */
  async function between(listener: RequestListener): Promise<void> {
    const opened = createServer(listener);
    line = opened;
    await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
    // SAFETY: it listens on a port.
    const { port } = opened.address() as AddressInfo;
    openPage(`http://127.0.0.1:${port}`);
  }

  it("a proxy's page is known for what it is", async () => {
    await between((_, response) => response.writeHead(502).end("<h1>502</h1>"));
    expect(await recordReview(review())).toMatchObject({
      ok: false,
      failure: { kind: "refused", status: 502, code: "", message: "", retryAfter: null },
    });
  });

  it.each([
    ["cut before the answer", (_, response) => response.destroy()],
    [
      "cut in the answer",
      (_, response) => {
        response.writeHead(201, { "content-length": 50 });
        response.write("{", () => response.destroy());
      },
    ],
    ["that says something else", (_, response) => response.end('{"next":"moon"}')],
  ] satisfies [string, RequestListener][])("%s is a lost network", async (_, listener) => {
    await between(listener);
    expect(await recordReview(review())).toEqual({ ok: false, failure: { kind: "network" } });
  });

  it("that says nothing is given up after ten seconds", async () => {
    let reached = () => {};
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await between(() => reached());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const call = recordReview(review());
    let isOver = false;
    void call.then(() => {
      isOver = true;
    });
    await isReached;
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual({ ok: false, failure: { kind: "network" } });
  });
});
