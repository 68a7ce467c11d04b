import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import type { Sql, TransactionSql } from "postgres";
import { PAYMENT_NOTICE_DAYS } from "#domain/rules/retention.ts";
import { ROOT } from "../root.ts";
import {
  ageBills,
  buy,
  changeCard,
  DeclinedError,
  end,
  payBills,
  renew,
  setCancelling,
} from "./ledger.ts";
import {
  card,
  customer as customerSchema,
  invoice as invoiceSchema,
  type Portal,
  portal as portalSchema,
  type Subscription,
  session as sessionSchema,
  subscription as subscriptionSchema,
} from "./objects.ts";
import { checkoutPage, portalPage } from "./pages.ts";
import { sandboxCopy } from "./sandbox.copy.ts";
import { find, listOf, lockSandbox } from "./store.ts";

const STYLE = new URL("server/payments-sandbox/sandbox.css", ROOT);

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Deed = (sql: TransactionSql, subscription: Subscription, now: Date) => Promise<unknown>;

/** Effects of the portal's buttons on a subscription. */
const DEEDS: Readonly<Record<string, Deed>> = {
  pay: (sql, subscription) => payBills(sql, subscription),
  cancel: (sql, subscription) => setCancelling(sql, subscription, true),
  resume: (sql, subscription) => setCancelling(sql, subscription, false),
  renew,
  end,
  age: (sql, subscription) => ageBills(sql, subscription, PAYMENT_NOTICE_DAYS),
};

/** The pages of the sandbox, under `/_dev/payments`: their addresses hold the key to them. */
export function createSandboxSite({ sql, now }: { sql: Sql; now: () => Date }): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
    context.header("content-security-policy", PAGE_POLICY);
  });

  app.get("/style.css", async (context) =>
    context.body(await readFile(STYLE, "utf8"), 200, { "content-type": "text/css; charset=utf-8" }),
  );

  app.get("/checkout/:id", async (context) => {
    const session = await read(sql, "checkout_session", context.req.param("id"), sessionSchema);
    return session ? context.html(checkoutPage(session, null)) : context.notFound();
  });

  app.post("/checkout/:id", async (context) => {
    const { action } = await context.req.parseBody();
    const id = context.req.param("id");
    const chosen = card.safeParse(action);
    const session = await read(sql, "checkout_session", id, sessionSchema);
    if (!session) return context.notFound();
    if (session.status !== "open") return context.html(checkoutPage(session, null), 409);
    if (!chosen.success) return context.redirect(session.cancel_url, 303);
    const isPaid = await deed(sql, async (transaction) => {
      const open = await find(transaction, "checkout_session", id, sessionSchema);
      if (open?.status === "open") await buy(transaction, open, chosen.data, now());
    });
    if (isPaid) return context.redirect(session.success_url, 303);
    return context.html(checkoutPage(session, sandboxCopy.checkout.declined), 402);
  });

  app.get("/portal/:id", async (context) => {
    const portal = await read(sql, "billing_portal_session", context.req.param("id"), portalSchema);
    return portal ? context.html(await showPortal(sql, portal, null)) : context.notFound();
  });

  app.post("/portal/:id", async (context) => {
    const portal = await read(sql, "billing_portal_session", context.req.param("id"), portalSchema);
    if (!portal) return context.notFound();
    const { action } = await context.req.parseBody();
    const wanted = typeof action === "string" ? action : "";
    const isDone = await deed(sql, (transaction) =>
      actOn(transaction, portal.customer, wanted, now()),
    );
    if (isDone) return context.redirect(new URL(context.req.url).pathname, 303);
    return context.html(await showPortal(sql, portal, sandboxCopy.portal.declined), 402);
  });
  return app;
}

async function read<T>(
  sql: Sql,
  kind: string,
  id: string,
  schema: Parameters<typeof find<T>>[3],
): Promise<T | null> {
  const held: { value: T | null } = { value: null };
  await sql.begin(async (transaction) => {
    held.value = await find(transaction, kind, id, schema);
  });
  return held.value;
}

/** Does something in turn; false when the card was refused, and nothing was done. */
async function deed(sql: Sql, work: (sql: TransactionSql) => Promise<unknown>): Promise<boolean> {
  try {
    await sql.begin(async (transaction) => {
      await lockSandbox(transaction);
      await work(transaction);
    });
    return true;
  } catch (error) {
    if (error instanceof DeclinedError) return false;
    throw error;
  }
}

async function actOn(
  sql: TransactionSql,
  customerId: string,
  action: string,
  now: Date,
): Promise<void> {
  if (action === "card-good") return changeCard(sql, customerId, "good");
  if (action === "card-declined") return changeCard(sql, customerId, "declined");
  const subscription = await newest(sql, customerId);
  const work = Object.hasOwn(DEEDS, action) ? DEEDS[action] : undefined;
  if (subscription && subscription.status !== "canceled") await work?.(sql, subscription, now);
}

async function newest(sql: TransactionSql, customerId: string): Promise<Subscription | null> {
  const [subscription] = await listOf(sql, "subscription", customerId, subscriptionSchema);
  return subscription ?? null;
}

async function showPortal(sql: Sql, portal: Portal, problem: string | null) {
  return sql
    .begin(async (transaction) => {
      const customer = await find(transaction, "customer", portal.customer, customerSchema);
      if (!customer) throw new Error("The sandbox has lost a customer.");
      const subscription = await newest(transaction, portal.customer);
      const invoices = await listOf(transaction, "invoice", portal.customer, invoiceSchema);
      return { customer, subscription, invoices };
    })
    .then((account) => portalPage({ portal, problem, ...account }));
}
