import { expect, it } from "vitest";
import { enqueueMail, enqueueSms } from "../../server/mail/outbox.ts";
import { mailboxCopy } from "../../server/mailbox/mailbox.copy.ts";
import { accessibilityProblems } from "../harness/browser.ts";
import { latestMail } from "../harness/mailbox.ts";
import { setUpTestApp } from "./support/test-app.ts";

const app = setUpTestApp();

it("shows what would have been sent, and its links can be followed", async () => {
  // The test's own scripts are blocked in the frame as a mail's would be.
  const { page } = await app.desktop({
    expected: ({ kind, ...problem }) =>
      kind === "console" && "text" in problem && problem.text.includes("Blocked script execution"),
  });
  await page.goto("/_dev/mailbox");
  await page.getByText(mailboxCopy.empty).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  const to = "ana@exemple.fr";
  const url = `${app.server.url}/auth/forgot-password`;
  await enqueueMail(app.sql, { template: "recovery", to, data: { url, name: "Ana Petit" } });
  await latestMail(app.server, to);
  await page.getByRole("link", { name: mailboxCopy.refresh }).click();
  await page.getByRole("link", { name: /Choisissez un nouveau mot de passe/ }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("link", { name: /Choisissez un nouveau mot de passe/ }).click();

  const mail = page.frameLocator("iframe");
  await mail.getByRole("heading", { name: "Mot de passe oublié ?" }).waitFor();
  // The mail's own style got through, and nothing else would.
  const button = mail.getByRole("link", { name: "Choisir un nouveau mot de passe" });
  expect(await button.evaluate((link) => getComputedStyle(link).color)).toBe("rgb(255, 255, 255)");
  await page.getByText(mailboxCopy.plainText).click();
  await page.getByText("Bonjour Ana Petit,").first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // The link leads the whole window there, out of the frame.
  await button.click();
  await page.waitForURL(url);
});

it("fits a narrow phone, and shows text messages", async () => {
  const to = "+33612345678";
  await enqueueSms(app.sql, { to, body: "483920 est votre code Tournavis." });
  await latestMail(app.server, to);
  const { page } = await app.phone({ context: { viewport: { width: 320, height: 640 } } });
  await page.goto(`/_dev/mailbox?to=${encodeURIComponent(to)}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.getByRole("link", { name: /483920/ }).click();
  await page.getByRole("heading", { name: mailboxCopy.sms }).waitFor();
  await page.getByText("483920 est votre code Tournavis.").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});
