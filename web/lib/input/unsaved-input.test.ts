import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepUnsavedFor, tabMemory, UNSAVED_KEY, UNSAVED_MS } from "../device-memory.ts";
import { isOutdated, takeFound, withFound } from "./found-input.ts";
import { hasUnsaved, keepUnsaved } from "./unsaved-input.ts";

/** Parts of a form that outlive its session, for how long, and for whom. */

const ANA = "2b3c";
const FORM = "org /customers/1 ";
const saved = { name: "Anaïs", email: "anais@exemple.fr", note: "" };
const typed = { ...saved, note: "Préfère le thé." };

const kept = () => tabMemory.read(UNSAVED_KEY);

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("keeps the fields that were changed and no other, and gives them back once", () => {
  keepUnsaved(ANA, FORM, { saved, typed });
  keepUnsaved(ANA, "org /settings ", { saved: { name: "" }, typed: { name: "Deux\nlignes" } });
  expect(kept()).not.toContain("anais@exemple.fr");
  keepUnsavedFor(ANA);
  expect([FORM, "org /customers/2 "].map(hasUnsaved)).toEqual([true, false]);
  const found = takeFound(FORM);
  expect(found?.typed).toEqual({ note: "Préfère le thé." });
  expect(takeFound(FORM)).toBeNull();
  expect(takeFound("org /settings ")?.typed).toEqual({ name: "Deux\nlignes" });
  expect(kept()).toBeNull();
});

it("keeps a form as it was last, where the session of one that stays open ends twice", () => {
  keepUnsaved(ANA, FORM, { saved, typed });
  keepUnsaved(ANA, FORM, { saved, typed: { ...typed, note: "Préfère le café." } });
  expect(takeFound(FORM)?.typed).toEqual({ note: "Préfère le café." });
  expect(kept()).toBeNull();
});

it("erases it when another person signs in, and when the same one does after a day", () => {
  keepUnsaved(ANA, FORM, { saved, typed });
  keepUnsavedFor("2b3");
  expect(kept()).toBeNull();
  keepUnsaved(ANA, FORM, { saved, typed });
  vi.setSystemTime(Date.now() + UNSAVED_MS - 1);
  keepUnsavedFor(ANA);
  expect(kept()).not.toBeNull();
  vi.setSystemTime(Date.now() + 1);
  keepUnsavedFor(ANA);
  expect(kept()).toBeNull();
});

it("erases it after a day in a tab to which nobody comes back, and nothing younger", () => {
  keepUnsaved(ANA, FORM, { saved, typed });
  vi.advanceTimersByTime(UNSAVED_MS / 2);
  keepUnsaved(ANA, "org /settings ", { saved: { name: "" }, typed: { name: "B" } });
  vi.advanceTimersByTime(UNSAVED_MS - 1);
  expect(kept()).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(kept()).toBeNull();
});

it.each([
  ["no form", "no JSON"],
  ["a form of another release", '{"form":"org /customers/1 ","typed":"Préfère le thé."}'],
])("gives nothing of %s", (_, line) => {
  tabMemory.write(UNSAVED_KEY, `${ANA} ${Date.now()}\n${line}`);
  expect(takeFound(FORM)).toBeNull();
  expect(kept()).toBeNull();
});

it("completes what stands now, unless the form has another shape", () => {
  const wheel = [{ label: "Café", weight: 50, rewardId: null }];
  const present = { name: "Roue", wheel };
  const mine = { form: FORM, saved: { wheel }, typed: { wheel: [{ ...wheel[0], label: "Thé" }] } };
  expect(withFound(present, mine)).toEqual({ name: "Roue", wheel: mine.typed.wheel });
  expect(isOutdated(present, mine)).toBe(false);
  expect(isOutdated({ ...present, name: "Fête" }, mine)).toBe(false);
  expect(isOutdated({ ...present, wheel: [] }, mine)).toBe(true);
  expect(withFound(present, { ...mine, typed: { wheel: [{ label: "Thé" }] } })).toBeNull();
  expect(withFound(present, { ...mine, typed: { name: 3 } })).toBeNull();
});
