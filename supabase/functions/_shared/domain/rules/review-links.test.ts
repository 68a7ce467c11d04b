import { describe, expect, it } from "vitest";
import {
  confirmationOf,
  hostToConfirm,
  isReviewPage,
  reviewHost,
  reviewLinkProblem,
} from "./review-links.ts";

describe("the link to public reviews (specification, section 5: URL-typed)", () => {
  it.each([
    "https://g.page/r/CbZx/review",
    "https://search.google.com/local/writereview?placeid=ChIJ",
    "https://www.google.fr/maps/place/Le+Comptoir/@48.85,2.35,17z",
    "https://www.google.com/maps?cid=123",
    "https://maps.google.co.uk/?cid=123",
    "https://maps.app.goo.gl/abc",
    "https://goo.gl/maps/abc",
    "https://share.google/abc",
    "HTTPS://WWW.Tripadvisor.FR/UserReviewEdit-g187147",
    "https://fr.trustpilot.com/evaluate/exemple.fr",
    "https://www.yelp.fr/writeareview/biz/abc",
    "https://www.facebook.com/lecomptoir/reviews",
    "https://www.thefork.fr/restaurant/abc",
    "https://www.pagesjaunes.fr/pros/123#avis",
    "https://www.doctolib.fr/dentiste/paris/abc",
  ])("%s stands on a known platform", (text) => {
    expect([isReviewPage(text), hostToConfirm(text)]).toEqual([true, null]);
  });

  it.each([
    ["https://evil.test", "evil.test"],
    ["https://g.page.evil.test/r/a", "g.page.evil.test"],
    ["https://evil.test/g.page/r/a", "evil.test"],
    ["https://evil-g.page/r", "evil-g.page"],
    ["https://www.google.com/url?q=https://evil.test", "www.google.com"],
    ["https://www.google.com/maps/../url?q=https://evil.test", "www.google.com"],
    ["https://www.google.com/maps/%2e%2E/url?q=https://evil.test", "www.google.com"],
    ["https://goo.gl/abc", "goo.gl"],
    ["https://www.yelp.com/biz_redir?url=https://evil.test", "www.yelp.com"],
    ["https://xn--caf-dma.fr/avis", "xn--caf-dma.fr"],
  ])("%s is confirmed by whoever enters it", (text, host) => {
    expect([reviewHost(text), isReviewPage(text), hostToConfirm(text)]).toEqual([
      host,
      false,
      host,
    ]);
  });

  it.each([
    "",
    "g.page/moi",
    "https://",
    "https://avis",
    "https://localhost/a",
    "https://caisse.local/a",
    "https://avis.internal",
    "http://g.page/r/a",
    "ftp://avis.example/a",
    "javascript:alert(1)//a.b",
    "https://g.page@evil.test/",
    "https://user:secret@evil.test/",
    "https://g.page:8443/r",
    "https://g.page:443/r",
    "http://169.254.169.254/latest",
    "https://169.254.169.254/latest",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://[::1]/",
    "https://g.page./r",
    "https://g.page\\@evil.test",
    "https:/\\g.page/r",
    "https://avis.example/a b",
    "https://avis.example/a\nb",
    " https://g.page/r",
    `https://avis.example/${"a".repeat(2000)}`,
  ])("« %s » is no address of a page", (text) => {
    expect([reviewHost(text), isReviewPage(text)]).toEqual([null, false]);
  });

  it.each([
    [{ url: "", confirmedHost: "" }, null, null],
    [{ url: "https://g.page/r", confirmedHost: "" }, null, null],
    [{ url: "http://g.page/r", confirmedHost: "" }, null, "malformed"],
    [{ url: "http://g.page/r", confirmedHost: "" }, "http://g.page/r", null],
    [{ url: "https://evil.test/a", confirmedHost: "" }, null, "unconfirmed"],
    [{ url: "https://evil.test/a", confirmedHost: "other.test" }, null, "unconfirmed"],
    [{ url: "https://evil.test/a", confirmedHost: "evil.test" }, null, null],
    [{ url: "https://evil.test/a", confirmedHost: "" }, "https://evil.test/a", null],
  ])("%o, where %s is kept: %s", (form, kept, problem) => {
    expect(reviewLinkProblem(form, kept)).toBe(problem);
  });

  it("is confirmed for its own host alone", () => {
    const url = "https://evil.test/a";
    expect(confirmationOf({ url, confirmedHost: "evil.test" })).toBe("evil.test");
    expect(confirmationOf({ url, confirmedHost: "other.test" })).toBeNull();
    expect(confirmationOf({ url: "https://g.page/r", confirmedHost: "g.page" })).toBeNull();
  });
});
