import type { Page } from "playwright-core";
import { mayOpen, SCREENS, type Screen } from "../../../web/lib/screens.ts";

/** Controls that a screen offers to a person who may not use them. */

/** Words of what changes something; what is one's own (notifications, account, leaving) has others. */
const CHANGES =
  /Supprimer|Modifier|Dupliquer|Archiver|Remettre en service|Inviter|Effacer|Valider|Utiliser|Ajouter|Nouve|Créer|Exporter toutes|Changer|Transférer|Marquer/;

const SCREEN_NAMES = Object.keys(SCREENS).filter((name): name is Screen =>
  Object.hasOwn(SCREENS, name),
);

/** The screen of an address; a word in its path goes before what stands for any. */
function screenAt(path: string): Screen | undefined {
  const fits = SCREEN_NAMES.filter((name) =>
    new RegExp(`^${name.replaceAll(/\$\w+/g, "[^/]+")}$`).test(path),
  );
  return fits.find((name) => name === path) ?? fits[0];
}

/** Addresses that a page leads to and is closed to the reader, and controls that say they change something. */
export async function wrongIn(page: Page, permissions: readonly string[]): Promise<string[]> {
  for (const menu of await page.getByRole("main").locator("[aria-haspopup=menu]").all()) {
    await menu.click();
    break;
  }
  const paths = await page
    .locator("a[href^='/']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")?.split("?")[0] ?? ""));
  const closed = paths.filter((path) => {
    const screen = screenAt(path);
    // The badge of the plan leads everybody to the prices (specification, section 2.9).
    return screen !== undefined && screen !== "/pricing" && !mayOpen(permissions, screen);
  });
  const controls = await page
    .getByRole("main")
    .locator("button, a, [role=menuitem], [role=switch]")
    .evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label") ?? one.textContent ?? ""),
    );
  return [...closed, ...controls.filter((name) => CHANGES.test(name))];
}
