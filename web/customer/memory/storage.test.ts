import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { HOUR_MS } from "#domain/text/durations.ts";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { forget, hasRecord, recall, remember } from "./storage.ts";

const name = z.object({ name: z.string() });
beforeEach(() => {
  vi.useFakeTimers();
  forgetEverything();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Records in memory outlive a test: they are meant to live as long as the page. */
function forgetEverything() {
  stubBrowser();
  forget("tab", "a");
  forget("phone", "a");
}

describe.each(["tab", "phone"] as const)("a record of the %s", (area) => {
  it("is found again until it expires", () => {
    expect(hasRecord(area, "a")).toBe(false);
    expect(remember(area, "a", { name: "Zoé" }, HOUR_MS)).toBe(true);
    expect(hasRecord(area, "a")).toBe(true);
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(recall(area, "a", name)).toEqual({ name: "Zoé" });
    vi.advanceTimersByTime(1);
    expect(recall(area, "a", name)).toBeNull();
    expect(hasRecord(area, "a")).toBe(false);
  });

  it("is forgotten when asked", () => {
    remember(area, "a", { name: "Zoé" }, HOUR_MS);
    forget(area, "a");
    expect(recall(area, "a", name)).toBeNull();
  });

  it("of another shape, or of another hand, is dropped", () => {
    remember(area, "a", { first: "Zoé" }, HOUR_MS);
    expect(recall(area, "a", name)).toBeNull();
    const storage = area === "tab" ? window.sessionStorage : window.localStorage;
    storage.setItem("a", "not json");
    expect(recall(area, "a", name)).toBeNull();
    expect(hasRecord(area, "a")).toBe(false);
  });

  it("lives in memory where storage is forbidden, and says so", () => {
    stubBrowser({ hasStorage: false });
    expect(remember(area, "a", { name: "Zoé" }, HOUR_MS)).toBe(false);
    expect(recall(area, "a", name)).toEqual({ name: "Zoé" });
    expect(hasRecord(area, "a")).toBe(true);
    forget(area, "a");
    expect(hasRecord(area, "a")).toBe(false);
  });

  it("lives in memory where storage is full, and says so", () => {
    const storage = area === "tab" ? window.sessionStorage : window.localStorage;
    storage.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
    expect(remember(area, "a", { name: "Zoé" }, HOUR_MS)).toBe(false);
    expect(recall(area, "a", name)).toEqual({ name: "Zoé" });
  });

  it("counts as it was written last where storage became full", () => {
    const storage = area === "tab" ? window.sessionStorage : window.localStorage;
    remember(area, "a", { name: "Zoé" }, HOUR_MS);
    storage.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
    remember(area, "a", { name: "Ana" }, HOUR_MS);
    expect(recall(area, "a", name)).toEqual({ name: "Ana" });
  });

  it("is gone where another page removed it", () => {
    const storage = area === "tab" ? window.sessionStorage : window.localStorage;
    remember(area, "a", { name: "Zoé" }, HOUR_MS);
    storage.removeItem("a");
    expect(recall(area, "a", name)).toBeNull();
    expect(hasRecord(area, "a")).toBe(false);
  });
});
