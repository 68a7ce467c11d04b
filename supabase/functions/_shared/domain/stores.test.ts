import { describe, expect, it } from "vitest";
import { isWebAddress } from "./stores.ts";

describe("isWebAddress (specification, section 5: the review URL is URL-typed)", () => {
  it.each([
    "https://g.page/r/abc/review",
    "http://avis.example/a",
    "https://search.google.com/local/writereview?placeid=ChIJ",
  ])("takes %s", (text) => expect(isWebAddress(text)).toBe(true));

  it.each([
    "",
    "g.page/moi",
    "www.avis.example",
    "https://",
    "https://avis",
    "https://avis.example/a b",
    "ftp://avis.example/a",
    "javascript:alert(1)//a.b",
  ])("refuses « %s »", (text) => expect(isWebAddress(text)).toBe(false));
});
