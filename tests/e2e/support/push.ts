import type { Page } from "playwright-core";
import { review } from "../../harness/journey.ts";
import type { PushDevice } from "../../harness/push-device.ts";
import type { Shop } from "./shop.ts";
import type { TestApp } from "./test-app.ts";

/** Messages on a merchant's own devices, as a test finds them on the screen. */

/** The browser of these tests: Chromium's lighter build denies every page its messages. */
export const PUSH_BROWSER = { whole: true };

/** A browser that may have a worker and show messages. */
export const PUSH_CONTEXT = { serviceWorkers: "allow" as const, permissions: ["notifications"] };

/**
 * Gives a page's browser an address at a push service. A browser of the tests reaches none: its vendor's part, and nothing else, is
 * in this script, and survives from one page to the next as a browser's does. Without a network it waits for one, as Chromium's
 * does.
 */
export async function haveAddress(
  page: Page,
  { endpoint, p256dh, auth }: PushDevice,
): Promise<void> {
  const made = JSON.stringify({ endpoint, keys: { p256dh, auth } });
  await page.addInitScript({
    content: `(() => {
      const read = () => {
        const key = localStorage.getItem("vendor");
        return key && {
          endpoint: ${JSON.stringify(endpoint)},
          options: { applicationServerKey: Uint8Array.from(JSON.parse(key)).buffer },
          toJSON: () => (${made}),
          unsubscribe: async () => (localStorage.removeItem("vendor"), true),
        };
      };
      PushManager.prototype.getSubscription = async () => read();
      PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly) throw new DOMException("", "NotAllowedError");
        if (!navigator.onLine) {
          await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
        }
        localStorage.setItem("vendor", JSON.stringify([...applicationServerKey]));
        return read();
      };
    })()`,
  });
}

/** Whether the browser of `haveAddress` has an address at its vendor. */
export function hasAddress(page: Page): Promise<boolean> {
  return page.evaluate(() => localStorage.getItem("vendor") !== null);
}

/** Where a review that has just come opens. */
export async function badReview(app: TestApp, shop: Shop): Promise<string> {
  const { review_id: id } = await review(app.sql, { campaignId: shop.campaign.id, rating: 2 });
  const [row] = await app.sql<{ alias: string }[]>`select private.alias_of(${id}) as alias`;
  return `/reviews?review=${row?.alias}`;
}

export const question = (page: Page) =>
  page.getByRole("region", { name: "Être prévenu sur cet appareil ?" });
export const card = (page: Page) => page.getByRole("region", { name: "Sur vos appareils" });
