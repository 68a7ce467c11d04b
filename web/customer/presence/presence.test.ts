import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { json, refuse } from "../../../supabase/functions/_shared/http/respond.ts";
import { makeCampaign } from "../testing/campaign.ts";
import { stubPage } from "../testing/page-stubs.ts";
import { presenceCopy } from "./presence.copy.ts";
import { forgetPass, recallPass } from "./presence-memory.ts";
import { provePresence } from "./prove-presence.ts";
import { proveByScan } from "./scanned.ts";

const { id } = makeCampaign();
const other = crypto.randomUUID();

const granted = () => json({ pass: "pass-1", valid_until: "2026-11-21T12:30:00Z" });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-21T12:00:00Z") });
  for (const campaignId of [id, other]) forgetPass(campaignId);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a proof of presence", () => {
  it("is exchanged for a pass, which the phone has for that campaign while it is good", async () => {
    const { asked } = stubPage({ answer: granted });
    expect(await provePresence(id, "482913")).toMatchObject({ ok: true });
    expect(asked).toEqual([
      {
        path: "presence",
        body: {
          campaign_id: id,
          proof: "482913",
          device_fp: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
    expect(recallPass(other)).toBeNull();
    vi.setSystemTime(new Date("2026-11-21T12:29:59Z"));
    expect(recallPass(id)).toBe("pass-1");
    vi.setSystemTime(new Date("2026-11-21T12:30:00Z"));
    expect(recallPass(id)).toBeNull();
  });

  it.each([-1, 1])("is kept by a phone whose clock is %i hours off", async (hours) => {
    vi.setSystemTime(Date.parse("2026-11-21T12:00:00Z") + hours * 3_600_000);
    stubPage({ answer: granted });
    await provePresence(id, "482913");
    expect(recallPass(id)).toBe("pass-1");
    vi.advanceTimersByTime(30 * 60_000);
    expect(recallPass(id)).toBeNull();
  });

  it.each([
    ["is refused", () => refuse("presence_wrong")],
    ["is asked for no more", () => json({ pass: null, valid_until: null })],
  ])("leaves the pass as it was when it %s", async (_, answer) => {
    stubPage({ answer: granted });
    await provePresence(id, "482913");
    stubPage({ keepStorage: true, answer });
    await provePresence(id, "000000");
    expect(recallPass(id)).toBe("pass-1");
    forgetPass(id);
    expect(recallPass(id)).toBeNull();
  });

  it("is not sent by a phone that cannot say which it is", async () => {
    const { asked } = stubPage({ answer: granted });
    vi.spyOn(crypto.subtle, "digest").mockRejectedValue(new TypeError("Failed to fetch"));
    const failure = { kind: "network" };
    expect(await provePresence(id, "482913")).toEqual({ ok: false, failure });
    expect(asked).toEqual([]);
  });
});

describe("the code of the till's screen", () => {
  /** Arrives with an address, and answers what is shown then. */
  async function arrive(hash: string, answer: () => Response) {
    const page = stubPage({ answer });
    const notes: { textContent: string; role: string }[] = [];
    vi.stubGlobal("document", {
      createElement: () => ({
        textContent: "",
        remove() {
          notes.splice(0);
        },
      }),
      body: { append: (note: (typeof notes)[number]) => notes.push(note) },
      documentElement: { dataset: {} },
    });
    const address = { hash, pathname: "/c/demo/play", search: "?source=qr" };
    vi.stubGlobal("location", address);
    const replaceState = vi.spyOn(history, "replaceState");
    await proveByScan(id);
    return { ...page, notes, shown: replaceState.mock.calls.map(([, , shown]) => shown) };
  }

  it("is exchanged at once and gone from the address; what came of it is said for eight seconds", async () => {
    const { asked, notes, shown } = await arrive("#p=482913", granted);
    expect(asked).toMatchObject([{ path: "presence", body: { proof: "482913" } }]);
    expect(shown).toEqual(["/c/demo/play?source=qr"]);
    expect(notes).toMatchObject([{ role: "status", textContent: presenceCopy.scanned }]);
    expect(recallPass(id)).toBe("pass-1");
    vi.advanceTimersByTime(7_999);
    expect(notes).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(notes).toEqual([]);
  });

  it.each([
    ["#p=111111", "111111"],
    ["#", ""],
    ["", ""],
  ])("that is no longer the right one is said so: « %s »", async (hash, proof) => {
    const { asked, notes } = await arrive(hash, () => refuse("presence_wrong"));
    expect(asked).toMatchObject([{ body: { proof } }]);
    expect(notes).toMatchObject([{ role: "status", textContent: presenceCopy.notScanned }]);
    expect(recallPass(id)).toBeNull();
  });

  it.each([
    [
      "no network",
      () => {
        throw new TypeError("Failed to fetch");
      },
    ],
    ["a service that is away", () => refuse("internal_error")],
  ])("is not called wrong where %s kept it from being checked", async (_reason, answer) => {
    const { notes } = await arrive("#p=482913", answer);
    expect(notes).toMatchObject([{ role: "status", textContent: presenceCopy.notSent }]);
    expect(recallPass(id)).toBeNull();
  });
});
