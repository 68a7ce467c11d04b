import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { createUser } from "../harness/fixtures.ts";
import { isSignedIn, titled } from "./support/account.ts";
import { setStage } from "./support/stage.ts";
import { signIn } from "./support/till.ts";

const stage = setStage();

/** Most that a merchant's browser loads before the sign-in page stands, compressed, in bytes. */
const MOST_SCRIPT = 215_000;

it("the application leaves out of its bundle what no page uses of the platform's client", async () => {
  const user = await createUser(stage.sql);
  const { page } = await stage.phone();
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text());
  });
  await page.goto("/auth?redirect=%2Fsettings%2Fsessions");
  await titled(page, "Connexion");
  await page.waitForLoadState("networkidle");
  const texts = await Promise.all(scripts);
  const weight = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(weight).toBeLessThan(MOST_SCRIPT);
  // Words that the socket's protocol and the file store's client cannot do without.
  expect(texts.filter((text) => /phx_join|\/object\/sign\//.test(text))).toEqual([]);

  // The client signs in, reads, and hands its new token on, as ever.
  await signIn(page, user);
  await isSignedIn(page);
  await page.getByText("Cet appareil", { exact: true }).waitFor();
});
