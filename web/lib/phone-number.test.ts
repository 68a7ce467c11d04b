import { describe, expect, it } from "vitest";
import { internationalPhone, phoneEnding } from "./phone-number.ts";

describe("a phone number", () => {
  it.each([
    ["06 12 34 56 78", "+33612345678"],
    ["(06) 12-34-56-78", "+33612345678"],
    ["+33 6 12 34 56 78", "+33612345678"],
    ["+33 (0)6 12 34 56 78", "+33612345678"],
    ["0033 6 12 34 56 78", "+33612345678"],
    ["+32 470 12 34 56", "+32470123456"],
    ["33612345678", "+33612345678"],
  ])("%s is %s", (typed, phone) => {
    expect(internationalPhone(typed)).toBe(phone);
  });

  it("is known by its last two digits", () => {
    expect(phoneEnding("+33 6 12 34 56 7 8")).toBe("78");
  });
});
