import { expect, it } from "vitest";
import { isOfContext } from "./password-words.ts";

it("knows a word of its context whatever figures and signs stand around it, and no other", () => {
  const owner = { emails: ["marie.durand@exemple.fr"], metadata: { full_name: "Zoé 2 Petit" } };
  for (const word of ["Tournavis2026", "2petit2", "ZOÉ2PETIT", "12Durand!", "durandmarie"]) {
    expect({ word, is: isOfContext(word, owner) }).toEqual({ word, is: true });
  }
  for (const word of ["123456", "zoé3petit", "durance"]) {
    expect({ word, is: isOfContext(word, owner) }).toEqual({ word, is: false });
  }
});

it("is asked in time also about a name of figures alone", () => {
  const owner = { metadata: { full_name: `a${"1".repeat(300_000)}b` } };
  expect(isOfContext("trois petits chats", owner)).toBe(false);
});
