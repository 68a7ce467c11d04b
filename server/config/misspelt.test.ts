import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ROOT } from "../root.ts";
import { misspeltSettings, SETTINGS } from "./misspelt.ts";

it.each([
  ["PUBIC_URL", "PUBLIC_URL"],
  ["TOURNAVIS_DATE", "TOURNAVIS_DATA"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["MAIL_FORM", "MAIL_FROM"],
  ["STRIPE_WEBHOOK_SECRETS", "STRIPE_WEBHOOK_SECRET"],
])("%s is taken for %s", (name, meant) => {
  expect(misspeltSettings({ [name]: "x", PORT: "3000" })).toEqual([{ name, meant }]);
});

it("variables of others are theirs", () => {
  const others = [
    "PROT",
    "HOSTNAME",
    "DATABASE_NAME",
    "SMTP_USER",
    "SMTP_HOST",
    "PATH",
    "public_urls",
  ];
  const set = [...others, "STRIPE_API_KEY", "NODE_ENV", "INVOCATION_ID", ...SETTINGS];
  expect(misspeltSettings(Object.fromEntries(set.map((name) => [name, "x"])))).toEqual([]);
});

it("every setting of the README is known, and no other", async () => {
  const readme = await readFile(new URL("README.md", ROOT), "utf8");
  const rows = readme.split("\n").filter((line) => /^\| `[A-Z]/.test(line));
  const named = rows.flatMap((row) => row.split("|")[1]?.match(/[A-Z][A-Z_]+/g) ?? []);
  // Each of these stands in the sentence of another, which says what it replaces.
  const beside = [
    "CAPTCHA_URL",
    "CHROME_PATH",
    "GOOGLE_ISSUER",
    "GOOGLE_PLACES_URL",
    "STRIPE_API_URL",
  ];
  for (const name of beside) expect(readme).toContain(`\`${name}\``);
  expect([...named, ...beside].sort()).toEqual([...SETTINGS]);
});
