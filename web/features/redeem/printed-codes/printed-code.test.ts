import fc from "fast-check";
import { expect, test } from "vitest";
import { readPrinted } from "./printed-code.ts";

const HOST = "tournavis.fr";

test.each([
  ["WIN7K3M9QXA", { kind: "prize", code: "WIN7K3M9QXA" }],
  ["https://tournavis.fr/c/demo/play?source=qr", { kind: "campaign", slug: "demo" }],
  ["HTTP://TOURNAVIS.FR/c/demo", { kind: "campaign", slug: "demo" }],
  ["tournavis.fr/c/demo", { kind: "campaign", slug: "demo" }],
  ["https://tournavis.fr/org/chez-zoe", { kind: "organization", slug: "chez-zoe" }],
  ["https://tournavis.fr/pricing", { kind: "page" }],
  ["https://tournavis.fr/c/../settings", { kind: "page" }],
  ["https://tournavis.fr/c/%2e%2e%2fdemo", { kind: "page" }],
  [`https://tournavis.fr/c/${"a".repeat(81)}`, { kind: "page" }],
  ["https://ailleurs.example/c/demo", { kind: "elsewhere", host: "ailleurs.example" }],
  ["https://tournavis.fr@ailleurs.example/c/demo", { kind: "elsewhere", host: "ailleurs.example" }],
  [
    "https://tournavis.fr.ailleurs.example/",
    { kind: "elsewhere", host: "tournavis.fr.ailleurs.example" },
  ],
  ["https://tournavis.fr:8443/c/demo", { kind: "elsewhere", host: "tournavis.fr:8443" }],
  // Cyrillic letters that look like Latin ones.
  ["https://tоurnavis.fr/c/demo", { kind: "elsewhere", host: "xn--turnavis-nbh.fr" }],
  ["https://", { kind: "other" }],
  [`https://tournavis.fr/c/demo?${"a".repeat(4_000)}`, { kind: "other" }],
  ["WIFI:S:Cafe;T:WPA;P:secret;;", { kind: "other" }],
  ["javascript:alert(1)//", { kind: "prize", code: "javascript:alert(1)//" }],
  ["", { kind: "other" }],
])("%s", (text, expected) => {
  expect(readPrinted(text, HOST)).toEqual(expected);
});

test("whatever a camera reads has an answer, and a slug is one", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string({ unit: "binary", maxLength: 300 })), (text) => {
      const code = readPrinted(text, HOST);
      if ("slug" in code) expect(code.slug).toMatch(/^[a-z0-9-]{1,80}$/);
    }),
  );
});
