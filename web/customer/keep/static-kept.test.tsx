import { renderToString } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { DAY_MS } from "#domain/text/durations.ts";
import { makeCampaign } from "../testing/campaign.ts";
import { stubPage } from "../testing/page-stubs.ts";
import { rememberCampaign, StaticKept } from "./static-kept.tsx";

const { id, store, slug } = makeCampaign();

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("a phone knows for 90 days whose prizes an address shows, as long as it keeps those without an expiry", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  stubPage({ hasNetwork: false });
  const page = () => renderToString(<StaticKept slug={slug} onPage={() => {}} />);
  const unknown = page();
  expect(unknown).toContain("Chargement");
  rememberCampaign(slug, { id, store: { name: store.name, timezone: "Europe/Paris" } });
  vi.setSystemTime(90 * DAY_MS - 1);
  expect(page()).not.toBe(unknown);
  vi.setSystemTime(90 * DAY_MS);
  expect(page()).toBe(unknown);
});
