import { describe, expect, it } from "vitest";
import { newPassword, newPasswordTwice } from "./account.ts";

const REQUIRED = "Veuillez remplir tous les champs";

/** Problems that a schema finds in a value, by field. */
function problems(value: { password: string; confirmation: string }) {
  const result = newPasswordTwice(REQUIRED).safeParse(value);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => [path.join("."), message]);
}

describe("a new password", () => {
  it.each([
    ["", REQUIRED],
    ["12345", "Le mot de passe doit contenir au moins 6 caractères"],
    ["🎡🎡🎡🎡🎡", "Le mot de passe doit contenir au moins 6 caractères"],
    ["é".repeat(37), "Ce mot de passe est trop long"],
  ])("%j is refused in a sentence", (text, sentence) => {
    const result = newPassword(REQUIRED).safeParse(text);
    expect(result.error?.issues.map(({ message }) => message)).toEqual([sentence]);
  });

  it.each(["      ", "123456", "é".repeat(36), "🎡".repeat(6)])("%j may be asked for", (text) => {
    expect(newPassword(REQUIRED).safeParse(text)).toEqual({ success: true, data: text });
  });
});

describe("a new password typed twice", () => {
  it("wants both fields", () => {
    expect(problems({ password: "", confirmation: "" })).toEqual([
      ["password", REQUIRED],
      ["confirmation", REQUIRED],
    ]);
    expect(problems({ password: "secret", confirmation: "" })).toEqual([
      ["confirmation", REQUIRED],
    ]);
  });

  it("is the same twice", () => {
    expect(problems({ password: "secret-1", confirmation: "secret-2" })).toEqual([
      ["confirmation", "Les mots de passe ne correspondent pas"],
    ]);
    expect(problems({ password: "secret-1", confirmation: "secret-1" })).toEqual([]);
  });
});
