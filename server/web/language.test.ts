import { describe, expect, it } from "vitest";
import { cookieOf, preferredLanguage } from "./language.ts";

describe("the language that a browser asks for", () => {
  it.each([
    [undefined, "fr"],
    ["", "fr"],
    ["en", "en"],
    ["EN-gb", "en"],
    ["fr-CH, fr;q=0.9, en;q=0.8", "fr"],
    ["ja, en;q=0.5, fr;q=0.4", "en"],
    ["fr;q=0.3, en;q=0.7", "en"],
    // Of two that are as good, the first.
    ["en;q=0.8, fr;q=0.8", "en"],
    // Zero is a refusal; what is no number, or out of range, counts for nothing.
    ["en;q=0", "fr"],
    ["en;q=x, fr", "fr"],
    ["en;q=7", "fr"],
    ["*;q=0.9, en;q=0.1", "en"],
    ["english", "fr"],
    [" en ; level=1 ; q=0.4 ,, fr;q=0.1", "en"],
    [",;,=;q=1", "fr"],
  ])("%j is %s", (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});

it("a choice is kept for the server alone, over HTTPS where there is one", () => {
  expect(cookieOf("en", false)).toBe("lang=en; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax");
  expect(cookieOf("en", true)).toContain("; Secure");
});

it("is read in time also from a header that is all spaces", () => {
  const spaces = " ".repeat(300_000);
  expect(preferredLanguage(`it${spaces}x, de${spaces};${spaces}q=0.5`)).toBe("de");
});
