import { describe, expect, it } from "vitest";
import { arriveAt, codeOn, field, press, pressSpin } from "./support/customer.ts";
import { createShop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";
import { checkCode, openTill, tillSays } from "./support/till.ts";

const app = setUpTestApp();

/**
 * Tables that change by themselves and are stored about nobody: attempts of an address, when a job
 * last ran.
 */
const HOUSEKEEPING = new Set(["private.rate_limits", "private.jobs"]);

/** A fingerprint of every row of every table, by table. */
async function everythingStored(): Promise<Record<string, string>> {
  const tables = await app.sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'private', 'auth')
    order by 1`;
  const entries = tables
    .filter(({ name }) => !HOUSEKEEPING.has(name))
    .map(async ({ name }): Promise<[string, string]> => {
      const [row] = await app.sql<{ rows: string }[]>`
        select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\n' order by t::text)), '') as rows
        from ${app.sql.unsafe(name)} t`;
      return [name, row?.rows ?? ""];
    });
  return Object.fromEntries(await Promise.all(entries));
}

/** Names of the tables that no longer hold what they held. */
async function changedSince(before: Record<string, string>): Promise<string[]> {
  const now = await everythingStored();
  return Object.keys({ ...before, ...now }).filter((table) => before[table] !== now[table]);
}

describe("the test mode", () => {
  it("draws as often as one likes, stores nothing, and its code opens nothing", async () => {
    const shop = await createShop(app.sql, { reward: { stock: 1 } });
    const { page } = await app.phone();
    const before = await everythingStored();
    expect(Object.keys(before)).toContain("public.spins");

    await page.goto(`${shop.door}/play`);
    await page.getByText("Mode test", { exact: true }).waitFor();
    await arriveAt(page, "name");
    await field(page, "Votre nom").fill("Zoé Lambert");
    await press(page, "Continuer");
    await arriveAt(page, "contact");
    await field(page, "Adresse e-mail").fill("zoe@exemple.fr");
    await press(page, "Continuer");
    await arriveAt(page, "wheel");
    await pressSpin(page);
    await arriveAt(page, "win");
    const code = await codeOn(page);
    expect(code).toMatch(/^TEST-[A-HJ-NP-Z2-9]{8}$/);
    await page.getByRole("article").getByText("TEST", { exact: true }).waitFor();

    await press(page, "Tester à nouveau");
    await arriveAt(page, "wheel");
    await pressSpin(page);
    await arriveAt(page, "win");
    expect(await codeOn(page)).not.toBe(code);
    expect(await changedSince(before)).toEqual([]);

    // Nothing of what was typed stays on the phone either.
    await page.reload();
    await arriveAt(page, "name");
    expect(await field(page, "Votre nom").inputValue()).toBe("");
    expect(await page.getByText("Votre gain vous attend").count()).toBe(0);
    await page.getByRole("link", { name: "Passer au vrai parcours" }).click();
    await page.waitForURL(`**${shop.door}/review`);

    const till = await app.phone();
    await openTill(app, till.page, shop.users.cashier);
    await checkCode(till.page, code);
    await tillSays(till.page, "Code de test");
    expect(await till.page.getByRole("button", { name: "Valider le gain" }).count()).toBe(0);
  });
});
