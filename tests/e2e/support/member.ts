import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import type { Sql } from "postgres";
import { typeset } from "#domain/text/typeset.ts";
import { SESSION_KEY } from "../../../web/lib/supabase.ts";
import type { Problem } from "../../harness/browser.ts";
import type { Campaign, User } from "../../harness/fixtures.ts";
import { redeem, review, scan, spin } from "../../harness/journey.ts";
import { refusing, type TestApp } from "./test-app.ts";

/** Gives a page the session of a user, without the sign-in form: tests of other screens begin behind it. */
export async function enter(app: TestApp, page: Page, user: Pick<User, "email">): Promise<void> {
  const { client } = await app.server.signIn(user);
  const { data } = await client.auth.getSession();
  const kept = {
    key: SESSION_KEY,
    value: JSON.stringify(data.session),
    mark: `entered ${user.email}`,
  };
  // Once a tab: signing out must not be undone by the next page.
  await page.addInitScript(({ key, value, mark }) => {
    if (location.protocol === "about:" || sessionStorage.getItem(mark)) return;
    sessionStorage.setItem(mark, "yes");
    localStorage.setItem(key, value);
  }, kept);
}

/** Options that a test may set for a computer's browser. */
export type DesktopOptions = Parameters<TestApp["desktop"]>[0];

/** A user's page, signed in, at a path; on a computer unless it says otherwise. */
export async function openAs(
  app: TestApp,
  user: Pick<User, "email">,
  path: string,
  { device, ...options }: DesktopOptions & { device?: "phone" } = {},
): Promise<Page> {
  const { page } = await (device === "phone" ? app.phone(options) : app.desktop(options));
  await enter(app, page, user);
  await page.goto(path);
  return page;
}

/** The path and the query of a page. */
export function place(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** Waits until a page stands at a path. */
export async function arrives(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
}

/** Customers who scan, rate, turn the wheel, and show the first code at the till. */
export async function haveCustomers(
  sql: Sql,
  campaign: Campaign,
  { cashier, ratings }: { cashier: User; ratings: readonly number[] },
): Promise<void> {
  for (const [index, rating] of ratings.entries()) {
    await scan(sql, { slug: campaign.slug, visitor: randomUUID() });
    const { review_id: reviewId } = await review(sql, {
      campaignId: campaign.id,
      firstName: "Anaïs",
      lastName: `Le Goff ${index + 1}`,
      rating,
    });
    await spin(sql, { campaignId: campaign.id, reviewId });
  }
  const [won] = await sql<{ code: string }[]>`
    select code from public.redemptions where campaign_id = ${campaign.id} order by created_at limit 1`;
  if (won === undefined) return;
  await redeem(sql, { userId: cashier.id, code: won.code, storeId: campaign.storeId });
}

/** Expects a failed load: React logs to the console what an error boundary caught. */
export function failingToLoad(problem: Problem): boolean {
  const isTold = problem.kind === "console" && problem.text.startsWith("AppError");
  return isTold || refusing(500)(problem);
}

/** A text with ordinary spaces in its figures, and otherwise set as the strings of these tests are. */
export function inPlain(text: string | null): string {
  return typeset((text ?? "").replaceAll(/\s+/g, " "));
}

/** Words of a part of a page. */
export async function words(page: Page, part = page.getByRole("main")): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: only the rendered text keeps lines apart.
  return inPlain(await part.innerText());
}
