import { expect, it } from "vitest";
import { SANDBOX_PRICES } from "../../../server/payments-sandbox/objects.ts";
import type { Deps } from "../../../supabase/functions/_shared/http/deps.ts";
import type { Delivery } from "../../../supabase/functions/_shared/messages/delivery.ts";
import { createHandler } from "../../../supabase/functions/run-jobs/handler.ts";
import { openWork } from "../../../supabase/functions/run-jobs/open-work.ts";
import { secondsFromNow } from "../../harness/clock.ts";
import { setUpTestDatabase } from "../../harness/database.ts";
import { createOrganization } from "../../harness/fixtures.ts";
import { billingDeps, buyPlan, connectSandbox } from "../../server/billing-calls.ts";
import { startMailServer } from "../../server/mail-server.ts";

/** The function that sends the messages of a hosted project, with no process of ours beside it. */

const SECRET = "a secret of the tests, which is long enough";
const database = setUpTestDatabase();

/** Facts that a summary mentions. */
const FACTS = {
  ...Object.fromEntries(
    ["scans", "reviews", "average", "spins", "wins", "redemptions"].map((name) => [name, "1"]),
  ),
  organization: "Chez Ana",
  day: "22/11/2026",
  from: "16/11/2026",
  to: "22/11/2026",
};

const newDeps = (): Deps => ({
  sql: database.sql,
  now: () => secondsFromNow(0),
  verifyAccessToken: async () => null,
  signApiToken: null,
  keyedHash: (_purpose, value) => value,
  clientAddress: () => "198.51.100.1",
  payments: null,
  logos: null,
  log: () => {},
});

function functionWith(variables: Record<string, string>) {
  const deps = newDeps();
  const env = {
    SUPABASE_URL: "https://projet.exemple.fr",
    SUPABASE_SERVICE_ROLE_KEY: "none",
    JOBS_SECRET: SECRET,
    SITE_URL: "https://avis.exemple.fr",
    ...variables,
  };
  const handler = createHandler((own) => openWork(env, own));
  return async (headers: Record<string, string>) => {
    const address = "https://projet.exemple.fr/functions/v1/run-jobs";
    const answer = await handler(new Request(address, { method: "POST", headers }), deps);
    return [answer.status, await answer.json()];
  };
}

/** Writes a summary to the address, for the owner of a new organisation who wants one. */
async function write(recipient: string): Promise<void> {
  const { sql } = database;
  const { id, users } = await createOrganization(sql);
  await sql`update auth.users set email = ${recipient} where id = ${users.owner.id}`;
  const [reader] = await sql`
    insert into public.notification_preferences (org_id, user_id, summary, next_summary_at)
    values (${id}, ${users.owner.id}, 'weekly', now() + interval '7 days') returning unsubscribe_secret as token`;
  const data = sql.json({ path: "/dashboard", facts: { ...FACTS, token: reader?.token } });
  await sql`select private.enqueue_mail('weekly_summary', ${recipient}, ${data})`;
}

async function stateOf(recipient: string) {
  const [row] = await database.sql<{ state: string; last_error: string | null }[]>`
    select state, last_error from private.outbox where recipient = ${recipient}`;
  return row;
}

it("sends what waits for whoever shows the secret, and for nobody else", async () => {
  const mails = await startMailServer();
  const call = functionWith({
    SMTP_URL: mails.url,
    MAIL_FROM: "Tournavis <bonjour@exemple.fr>",
    OPERATOR: JSON.stringify({ company: "Roue & Cie SAS" }),
  });
  await write("ana@exemple.fr");
  for (const headers of [{}, { "x-jobs-secret": "" }, { "x-jobs-secret": `${SECRET}!` }]) {
    expect((await call(headers))[0]).toBe(401);
  }
  expect(mails.received).toEqual([]);
  expect(await call({ "x-jobs-secret": SECRET })).toEqual([200, { delivered: 1 }]);
  expect(await call({ "x-jobs-secret": SECRET })).toEqual([200, { delivered: 0 }]);
  const [mail, ...more] = mails.received;
  expect(more).toEqual([]);
  expect(mail?.to).toEqual(["ana@exemple.fr"]);
  // The page stands on another host than the functions.
  expect(mail?.headers.get("list-unsubscribe")).toMatch(
    /^<https:\/\/projet\.exemple\.fr\/functions\/v1\/unsubscribe\?token=/,
  );
  expect((await stateOf("ana@exemple.fr"))?.state).toBe("sent");
});

it("ends a run before the platform does: it begins fifty messages, or ten with a report", async () => {
  const { sql } = database;
  const begun: string[] = [];
  const take: Delivery = async ({ template }) => {
    begun.push(template);
    return "sent";
  };
  let isEnding = false;
  const handler = createHandler(() => ({
    secret: SECRET,
    deliveries: { mail: take, sms: take, push: take, payment: take, file: take },
    isEnding: () => isEnding,
  }));
  const deps = newDeps();
  const run = async () => {
    begun.length = 0;
    const headers = { "x-jobs-secret": SECRET };
    await handler(new Request("https://projet.exemple.fr", { method: "POST", headers }), deps);
    return begun.length;
  };
  const queue = (template: string, count: number) => sql`
    select private.enqueue_mail(${template}, 'file-' || n || '@exemple.fr', '{}')
    from generate_series(1, ${count}::integer) n`;
  await queue("reauthentication", 60);
  expect(await run()).toBe(50);
  isEnding = true;
  expect(await run()).toBe(0);
  isEnding = false;
  expect(await run()).toBe(10);
  await queue("monthly_report", 12);
  expect(await run()).toBe(10);
  expect(await run()).toBe(2);
});

it("keeps a mail for later while it has nothing to send it with", async () => {
  const call = functionWith({});
  await write("zoe@exemple.fr");
  expect(await call({ "x-jobs-secret": SECRET })).toEqual([200, { delivered: 0 }]);
  expect(await stateOf("zoe@exemple.fr")).toEqual({ state: "queued", last_error: "no_driver" });
});

it("does nothing without a secret of at least 32 characters", async () => {
  const call = functionWith({ JOBS_SECRET: "short" });
  expect((await call({ "x-jobs-secret": "short" }))[0]).toBe(500);
});

it("reads a customer at the provider again where that was written down, and nothing where payments are off", async () => {
  const { sql } = database;
  const stripe = connectSandbox(sql);
  const org = await createOrganization(sql, { plan: "free_trial" });
  const { customer } = await buyPlan({ sql, stripe }, org, SANDBOX_PRICES.pro.monthly);
  const forget = () =>
    sql`update public.subscriptions set plan = 'basic', billing = 'yearly' where org_id = ${org.id}`;
  const held = async () => {
    const [row] =
      await sql`select plan, billing from public.subscriptions where org_id = ${org.id}`;
    return row;
  };
  const env = {
    SUPABASE_URL: "https://projet.exemple.fr",
    SUPABASE_SERVICE_ROLE_KEY: "none",
    JOBS_SECRET: SECRET,
    SITE_URL: "https://avis.exemple.fr",
  };
  const deliver = (deps: Deps, template: string) =>
    openWork(env, deps).deliveries.payment({
      id: org.id,
      channel: "payment",
      template,
      recipient: customer,
      data: {},
      attempt: 1,
      created_at: secondsFromNow(0),
    });
  await forget();
  expect(await deliver(billingDeps({ sql, stripe }, null, null), "reconcile")).toBe("sent");
  expect(await deliver(billingDeps({ sql, stripe }, null), "other")).toBe("sent");
  expect(await held()).toEqual({ plan: "basic", billing: "yearly" });
  expect(await deliver(billingDeps({ sql, stripe }, null), "reconcile")).toBe("sent");
  expect(await held()).toEqual({ plan: "pro", billing: "monthly" });
});
