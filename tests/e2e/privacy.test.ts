import { describe, expect, it } from "vitest";
import { arriveAt, goToWheel, rate, somebody, win } from "./support/customer.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { codeField, signIn } from "./support/till.ts";

const app = setUpTestApp();

describe("privacy", () => {
  it("a customer's journey sets no cookie, asks no third party, and leaves no contact on the phone", async () => {
    const shop = await createShop(app.sql, { store: { googleReviewUrl: null } });
    const person = somebody();
    const { page } = await app.phone();
    const context = page.context();
    const hosts = new Set<string>();
    context.on("request", (request) => hosts.add(new URL(request.url()).origin));
    await rate(page, shop, 4, person);
    await arriveAt(page, "ready");
    await goToWheel(page);
    await win(page);

    expect(await context.cookies()).toEqual([]);
    expect([...hosts]).toEqual([app.server.url]);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    expect(kept).not.toContain(person.email);
    expect(kept).not.toContain(person.lastName);
    expect(await context.serviceWorkers()).toEqual([]);
  });

  it("every page forbids what is not its own", async () => {
    const shop = await createShop(app.sql);
    for (const path of [`${shop.door}/review`, `${shop.door}/play`, `/org/${shop.slug}`, "/auth"]) {
      const response = await fetch(app.server.url + path, { headers: { accept: "text/html" } });
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy, path).toContain("default-src 'none'");
      expect(policy, path).not.toContain("unsafe-inline");
      expect(policy, path).not.toContain("'unsafe-eval'");
      expect(response.headers.get("set-cookie"), path).toBeNull();
    }
  });

  it("the till sets no cookie and asks no third party either", async () => {
    const shop = await createShop(app.sql);
    const { page } = await app.phone();
    const hosts = new Set<string>();
    page.context().on("request", (request) => hosts.add(new URL(request.url()).origin));
    await page.goto("/encaisser");
    await signIn(page, shop.users.cashier);
    await codeField(page).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect([...hosts]).toEqual([app.server.url]);
  });
});
