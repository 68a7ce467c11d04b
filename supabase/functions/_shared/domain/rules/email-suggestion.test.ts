import { describe, expect, it } from "vitest";
import { suggestEmail } from "./email-suggestion.ts";

describe("suggestEmail", () => {
  it.each([
    ["lea@gmial.com", "lea@gmail.com"],
    ["lea@gmai.com", "lea@gmail.com"],
    ["lea@gmaill.com", "lea@gmail.com"],
    ["lea@gnail.com", "lea@gmail.com"],
    ["lea@gmail.fr", "lea@gmail.com"],
    ["lea@gmail.con", "lea@gmail.com"],
    ["lea@gmial.con", "lea@gmail.com"],
    ["Lea.Martin+avis@GMIAL.COM", "Lea.Martin+avis@gmail.com"],
    ["lea@hotmal.fr", "lea@hotmail.fr"],
    ["lea@hotmail.co", "lea@hotmail.com"],
    ["lea@yaho.co.uk", "lea@yahoo.co.uk"],
    ["lea@orage.fr", "lea@orange.fr"],
    ["lea@wandoo.fr", "lea@wanadoo.fr"],
    ["lea@lapsote.net", "lea@laposte.net"],
    ["lea@boulangerie-lea.con", "lea@boulangerie-lea.com"],
    ["lea@mail.boulangerie-lea.frr", "lea@mail.boulangerie-lea.fr"],
  ])("takes %s for %s", (typed, meant) => {
    expect(suggestEmail(typed)).toBe(meant);
  });

  it.each([
    "lea@gmail.com",
    "lea@hotmail.fr",
    "lea@yahoo.co.uk",
    "lea@orange.fr",
    // Domains of others.
    "lea@mail.com",
    "lea@ymail.com",
    "lea@free.fr",
    "lea@tree.fr",
    "lea@outlook.pt",
    "lea@orange.com",
    "lea@laposte.fr",
    "lea@exemple.fr",
    "lea@example.com",
    "lea@boulangerie.co",
    "lea@constructor",
    "lea@constructor.constructor",
    "lea",
    "",
  ])("leaves %s alone", (typed) => {
    expect(suggestEmail(typed)).toBeNull();
  });
});
