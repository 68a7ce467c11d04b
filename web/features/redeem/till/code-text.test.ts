import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redeemRequest } from "#domain/schemas/journey.ts";
import { cleanCode, codeFromScan, isBlankCode } from "./code-text.ts";

describe("a typed code", () => {
  test.each([
    ["WIN7K3M9QXA", "WIN7K3M9QXA"],
    ["  win7k3m9qxa \n", "win7k3m9qxa"],
    ["win 7k3m-9qxa", "win 7k3m-9qxa"],
    ["WIN\u00a07K3M\u202f9QXA", "WIN 7K3M 9QXA"],
    ["\u200bWIN7K3M9QXA\ufeff", "WIN7K3M9QXA"],
    ["CAFE\u0301-7K3M9QXA", "CAFÉ-7K3M9QXA"],
    ["WIN7K3M9QXA\r\u0000", "WIN7K3M9QXA"],
    ["W".repeat(100), "W".repeat(64)],
  ])("%j is sent as %j", (typed, code) => {
    expect(cleanCode(typed)).toBe(code);
  });

  test("keeps all that identifies it", () => {
    const letters = (text: string) => text.replace(/[^A-Za-z0-9]/g, "");
    const seen = (text: string) => text.replace(/(?!\s)[\p{Cf}\p{Cc}]/gu, "");
    fc.assert(
      // Few enough characters that nothing is cut, even where one becomes three.
      fc.property(fc.string({ unit: "binary", maxLength: 10 }), (typed) => {
        expect(letters(cleanCode(typed))).toBe(letters(seen(typed).normalize("NFC")));
      }),
      { examples: [["e\u200d\u0301"]] },
    );
  });

  test("is one that the server reads, unless it is blank, and cleaning twice changes nothing", () => {
    const store_id = "0198f3a0-0000-7000-8000-000000000001";
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200, size: "max" }), (typed) => {
        const code = cleanCode(typed);
        expect(isBlankCode(code) || redeemRequest.safeParse({ code, store_id }).success).toBe(true);
        expect(cleanCode(code)).toBe(code);
      }),
      // Met by chance: something unseen between two spaces, and between a letter and its accent.
      { examples: [["\u00a1 \u00ad \u00a1"], ["e\u200d\u0301"]] },
    );
  });

  test.each(["", "   ", " - ", "\u200b", "é"])("%j is blank", (typed) => {
    expect(isBlankCode(cleanCode(typed))).toBe(true);
  });
});

describe("a scanned QR code", () => {
  test.each(["WIN7K3M9QXA", "CAFÉ-7K3M9QXA", "10 % 7K3M9QXA", "TEST-7K3M9QXA"])(
    "%s is a prize's",
    (text) => {
      expect(codeFromScan(text)).toBe(text);
    },
  );

  test.each([
    "https://tournavis.fr/c/demo/play?source=qr",
    "WIFI:S:Cafe;T:WPA;P:secret;;",
    "tel:+33612345678",
    "BEGIN:VCARD",
    "A".repeat(65),
    "",
    " ",
  ])("%j is not", (text) => {
    expect(codeFromScan(text)).toBeNull();
  });
});
