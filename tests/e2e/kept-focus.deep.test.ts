import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { titled } from "./support/account.ts";
import { showsFocus, tabTo, waitForFocus } from "./support/keyboard.ts";
import { openAs } from "./support/member.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Where the keyboard goes on once the last line of a list is gone, with the button that was pressed. */

const app = setUpTestApp();

/** Goes to a button with Tab and presses it. */
async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, page.getByRole("button", { name, exact: true }));
  await page.keyboard.press("Enter");
}

/** Says yes to the question that is asked. */
async function confirm(page: Page, name: string): Promise<void> {
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name, exact: true }));
  await page.keyboard.press("Enter");
}

/** Waits until the keyboard goes on at a heading, which shows. */
async function goesOnAt(page: Page, name: string): Promise<void> {
  await waitForFocus(page.getByRole("heading", { name, exact: true }));
  expect(await showsFocus(page)).toBe(true);
}

describe("the keyboard goes on at the heading of what is left", () => {
  it("after the only campaign is deleted, and after the only archived one is restored", async () => {
    const shop = await createShop(app.sql);
    const page = await openAs(app, shop.users.owner, "/campaigns");
    await titled(page, "Campagnes");
    await press(page, "Actions pour La roue du comptoir");
    await page.getByRole("menuitem", { name: "Supprimer" }).press("Enter");
    await confirm(page, "Supprimer");
    await page.getByText("Aucune campagne créée").waitFor();
    await goesOnAt(page, "Campagnes");

    const archived = await createShop(app.sql);
    await app.sql`
      update public.campaigns set active = false, archived_at = now() where id = ${archived.campaign.id}`;
    const other = await openAs(app, archived.users.owner, "/campaigns?archived=true");
    await titled(other, "Campagnes");
    await press(other, "Actions pour La roue du comptoir");
    await other.getByRole("menuitem", { name: "Remettre en service" }).press("Enter");
    await other
      .getByRole("heading", { name: "La roue du comptoir" })
      .waitFor({ state: "detached" });
    await goesOnAt(other, "Campagnes");
  });

  it("after an invitation is taken back", async () => {
    const shop = await createShop(app.sql);
    const email = "renfort@exemple.fr";
    await app.server.database.as(
      { userId: shop.users.owner.id },
      (sql) => sql`select public.invite_member(${email}, 'member')`,
    );
    const page = await openAs(app, shop.users.owner, "/settings/team");
    await press(page, `Retirer l'invitation envoyée à ${email}`);
    await confirm(page, "Retirer l'invitation");
    await page.getByText("L'invitation est retirée.").waitFor();
    await goesOnAt(page, "Membres");
  });
});
