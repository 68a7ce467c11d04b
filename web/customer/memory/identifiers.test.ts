import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { newId } from "#domain/text/new-id.ts";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { anonymousFingerprint, deviceFingerprint, sha256 } from "./identifiers.ts";
import { forget } from "./storage.ts";

beforeEach(() => {
  stubBrowser();
  forget("phone", "tournavis:device");
});

afterEach(() => vi.unstubAllGlobals());

describe("newId", () => {
  it("makes a random UUID without what browsers hide on plain HTTP", () => {
    stubBrowser({ isSecure: false });
    const ids = Array.from({ length: 50 }, newId);
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) {
      expect(z.uuid({ version: "v4" }).safeParse(id).success).toBe(true);
    }
  });

  it.each([
    [0x00, "00000000-0000-4000-8000-000000000000"],
    [0xff, "ffffffff-ffff-4fff-bfff-ffffffffffff"],
    [0x0a, "0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a"],
  ])("keeps every bit of %j that says nothing of the version", (byte, id) => {
    const getRandomValues = (bytes: Uint8Array) => bytes.fill(byte);
    vi.stubGlobal("crypto", { getRandomValues });
    expect(newId()).toBe(id);
  });
});

describe("sha256", () => {
  it.each([true, false])("is SHA-256, in a secure context (%s) or not", async (isSecure) => {
    stubBrowser({ isSecure });
    const text = "Café, 06 12 34 56 78";
    expect(await sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
  });
});

describe("deviceFingerprint", () => {
  it("stays the same on one phone, and differs on another", async () => {
    const first = await deviceFingerprint();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await deviceFingerprint()).toBe(first);
    stubBrowser();
    forget("phone", "tournavis:device");
    expect(await deviceFingerprint()).not.toBe(first);
  });

  it("stays so when the phone is turned, or shows a little less", async () => {
    const first = await deviceFingerprint();
    for (const [width, height, isSame] of [
      [844, 390, true],
      [844, 412, true],
      [1024, 768, false],
    ] as const) {
      vi.stubGlobal("screen", { width, height });
      expect((await deviceFingerprint()) === first).toBe(isSame);
    }
  });

  it("stays so for thirteen months", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T00:00:00Z") });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const first = await deviceFingerprint();
    vi.setSystemTime(new Date("2027-01-30T23:59:59Z"));
    expect(await deviceFingerprint()).toBe(first);
    vi.setSystemTime(new Date("2027-01-31T00:00:00Z"));
    expect(await deviceFingerprint()).not.toBe(first);
  });

  it("is another one every time in the test mode", () => {
    expect(anonymousFingerprint()).toMatch(/^[0-9a-f]{64}$/);
    expect(anonymousFingerprint()).not.toBe(anonymousFingerprint());
  });
});
