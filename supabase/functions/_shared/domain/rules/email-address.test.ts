import { expect, it } from "vitest";
import { isEmailAddress } from "./email-address.ts";

it.each([
  "a@b.fr",
  "Zoe_1@Exemple.FR",
  "jean.d'arc+roue@sous.domaine.exemple.fr",
  "a@xn--caf-dma.fr",
  "a@b.xn--p1ai",
  `${"a".repeat(64)}@exemple.fr`,
])("takes %s", (text) => {
  expect(isEmailAddress(text)).toBe(true);
});

it.each([
  "",
  "a",
  "a@b",
  "@b.fr",
  "a@b.fr>",
  "<a@b.test>",
  "a@b.fr;",
  "a@b.fr,c@d.fr",
  "race@x.fr.",
  "a@.fr",
  "a@b..fr",
  ".a@b.fr",
  "a.@b.fr",
  "a..b@b.fr",
  "a b@b.fr",
  " a@b.fr",
  "a@b.fr\n",
  "a@b.fr\r\nBcc: x@y.fr",
  "a@b.test%0aBcc:x",
  "a%0a@b.fr",
  "b!a@b.fr",
  '"a"@b.fr',
  "mailto:a@b.fr",
  "é@b.test",
  "a@café.fr",
  "\u212aevin@b.fr",
  "a@b.fr\u0085",
  "a\u200b@b.fr",
  "a@[127.0.0.1]",
  "a@127.0.0.1",
  "a@-b.fr",
  "a@b_c.fr",
  `${"a".repeat(65)}@exemple.fr`,
  `a@${"b".repeat(64)}.fr`,
  `a@${"b.".repeat(125)}fr.fr`,
])("refuses « %s »", (text) => {
  expect(isEmailAddress(text)).toBe(false);
});
