import { type Context, Hono } from "hono";
import type { Sql, TransactionSql } from "postgres";
import { z } from "zod";
import { sha256 } from "../../supabase/functions/_shared/http/sha256.ts";
import { type Form, readForm, textAt, textsAt } from "./form.ts";
import type { PriceOrder } from "./invoice-lines.ts";
import { changePrice, DeclinedError, previewPrice, setCancelling } from "./ledger.ts";
import {
  type Customer,
  customer as customerSchema,
  invoice as invoiceSchema,
  newId,
  type Portal,
  priceOf,
  SANDBOX_TAX_RATE,
  type Session,
  type Subscription,
  seconds,
  session as sessionSchema,
  subscription as subscriptionSchema,
  taxRateObject,
} from "./objects.ts";
import { find, keep, listOf, lockSandbox } from "./store.ts";

/** Status and body of an answer, kept so that a repeated call gets the same. */
const answer = z.object({ status: z.number(), body: z.json() });
type Answer = z.infer<typeof answer>;

/** A call as the routes get it. */
type Call = { sql: TransactionSql; form: Form; id: string; query: URLSearchParams };

type Route = {
  method: "GET" | "POST";
  path: string;
  work: (call: Call) => Promise<unknown>;
  /** Changes nothing: a repeated call is worked out anew. */
  isReading?: boolean;
};

/** A refusal in the provider's words. */
class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly type: string;
  readonly code: string;

  constructor(status: number, type: string, code: string) {
    super(code);
    this.status = status;
    this.type = type;
    this.code = code;
  }
}

const missing = () => new ApiError(404, "invalid_request_error", "resource_missing");
const invalid = () => new ApiError(400, "invalid_request_error", "parameter_invalid");

function there<T>(thing: T | null): T {
  if (thing === null) throw missing();
  return thing;
}

function list(data: readonly unknown[]): unknown {
  return { object: "list", has_more: false, data };
}

/** The calls of the provider's HTTP API that this product makes, answered in the provider's shapes. */
export function createSandboxApi({
  sql,
  apiKey,
  now,
}: {
  sql: Sql;
  apiKey: string;
  now: () => Date;
}): Hono {
  const routes: readonly Route[] = [
    { method: "POST", path: "/customers", work: (call) => createCustomer(call, now()) },
    {
      method: "GET",
      path: "/customers/:id",
      work: async ({ sql, id }) => there(await find(sql, "customer", id, customerSchema)),
    },
    { method: "GET", path: "/prices/:id", work: async ({ id }) => there(priceOf(id)) },
    {
      method: "GET",
      path: "/tax_rates/:id",
      work: async ({ id }) => there(id === SANDBOX_TAX_RATE ? taxRateObject : null),
    },
    { method: "POST", path: "/checkout/sessions", work: (call) => openSession(call, now()) },
    {
      method: "GET",
      path: "/checkout/sessions",
      work: async ({ sql, query }) =>
        list(await listOf(sql, "checkout_session", query.get("customer") ?? "", sessionSchema)),
    },
    { method: "POST", path: "/checkout/sessions/:id/expire", work: expireSession },
    {
      method: "GET",
      path: "/subscriptions",
      work: async ({ sql, query }) =>
        list(await listOf(sql, "subscription", query.get("customer") ?? "", subscriptionSchema)),
    },
    {
      method: "GET",
      path: "/subscriptions/:id",
      work: async ({ sql, id }) => there(await find(sql, "subscription", id, subscriptionSchema)),
    },
    { method: "POST", path: "/subscriptions/:id", work: (call) => updateSubscription(call, now()) },
    { method: "GET", path: "/invoices", work: listInvoices },
    {
      method: "POST",
      path: "/invoices/create_preview",
      work: (call) => previewInvoice(call, now()),
      isReading: true,
    },
    { method: "POST", path: "/billing_portal/sessions", work: (call) => openPortal(call, now()) },
  ];

  const app = new Hono();
  app.use(async (context, next) => {
    if (context.req.header("authorization") !== `Bearer ${apiKey}`) {
      return failure(context, new ApiError(401, "invalid_request_error", "api_key_invalid"));
    }
    return next();
  });
  for (const { method, path, work, isReading = method === "GET" } of routes) {
    app.on(method, path, async (context) => {
      const text = method === "POST" ? await context.req.text() : "";
      const key = isReading ? undefined : context.req.header("idempotency-key");
      const call = {
        form: readForm(text),
        id: context.req.param("id") ?? "",
        query: new URL(context.req.url).searchParams,
      };
      try {
        const { status, body } = await sql.begin(async (transaction) => {
          await lockSandbox(transaction);
          return once(transaction, key, `${path} ${text}`, () =>
            work({ ...call, sql: transaction }),
          );
        });
        return respond(context, status, body);
      } catch (error) {
        if (error instanceof ApiError) return failure(context, error);
        if (error instanceof DeclinedError) {
          return failure(context, new ApiError(402, "card_error", "card_declined"));
        }
        throw error;
      }
    });
  }
  app.all("*", (context) => failure(context, missing()));
  return app;
}

/** Longest key that the provider takes, in characters. */
const IDEMPOTENCY_KEY_MAX_LENGTH = 255;

/** Answers a repeated call as the first time; the same key for another call is an error. */
async function once(
  sql: TransactionSql,
  key: string | undefined,
  what: string,
  work: () => Promise<unknown>,
): Promise<Answer> {
  if (key && key.length > IDEMPOTENCY_KEY_MAX_LENGTH) {
    throw new ApiError(400, "invalid_request_error", "idempotency_key_too_long");
  }
  const id = key && `idem_${sha256(key)}`;
  const print = sha256(what);
  const kept = z.object({ print: z.string(), answer });
  const before = id ? await find(sql, "idempotency", id, kept) : null;
  if (before && before.print !== print) throw new ApiError(400, "idempotency_error", "key_reused");
  if (before) return before.answer;
  const given = answer.parse({ status: 200, body: await work() });
  if (id) await keep(sql, { id, object: "idempotency", print, answer: given }, null);
  return given;
}

function failure(context: Context, { status, type, code }: ApiError): Response {
  return respond(context, status, { error: { type, code, message: code } });
}

function respond(context: Context, status: number, body: Answer["body"]): Response {
  context.header("request-id", newId("req"));
  return context.body(JSON.stringify(body), status === 200 ? 200 : errorStatus(status), {
    "content-type": "application/json",
  });
}

function errorStatus(status: number): 400 | 401 | 402 | 404 {
  return status === 401 || status === 402 || status === 404 ? status : 400;
}

async function createCustomer({ sql, form }: Call, now: Date): Promise<Customer> {
  const customer: Customer = {
    id: newId("cus"),
    object: "customer",
    email: textAt(form, "email"),
    name: textAt(form, "name"),
    balance: 0,
    created: seconds(now),
    livemode: false,
    metadata: textsAt(form, "metadata"),
    card: null,
  };
  await keep(sql, customer, customer.id);
  return customer;
}

async function openSession({ sql, form }: Call, now: Date): Promise<Session> {
  const customerId = textAt(form, "customer") ?? "";
  there(await find(sql, "customer", customerId, customerSchema));
  const price = textAt(form, "line_items", "0", "price") ?? "";
  const success = textAt(form, "success_url");
  const cancel = textAt(form, "cancel_url");
  const taxed = textAt(form, "subscription_data", "default_tax_rates", "0") === SANDBOX_TAX_RATE;
  if (!priceOf(price) || success === null || cancel === null || !taxed) throw invalid();
  if (textAt(form, "mode") !== "subscription") throw invalid();
  const id = newId("cs");
  const session: Session = {
    id,
    object: "checkout.session",
    customer: customerId,
    mode: "subscription",
    status: "open",
    payment_status: "unpaid",
    subscription: null,
    url: new URL(`/_dev/payments/checkout/${id}`, success).href,
    success_url: success,
    cancel_url: cancel,
    created: seconds(now),
    livemode: false,
    metadata: textsAt(form, "metadata"),
    price,
    subscription_metadata: {},
  };
  await keep(sql, session, customerId);
  return session;
}

async function expireSession({ sql, id }: Call): Promise<Session> {
  const session = there(await find(sql, "checkout_session", id, sessionSchema));
  if (session.status !== "open") throw invalid();
  const expired: Session = { ...session, status: "expired", url: null };
  await keep(sql, expired, session.customer);
  return expired;
}

async function updateSubscription({ sql, form, id }: Call, now: Date): Promise<unknown> {
  const known = there(await find(sql, "subscription", id, subscriptionSchema));
  if (known.status === "canceled") throw invalid();
  const cancelling = textAt(form, "cancel_at_period_end");
  let changed = known;
  if (textAt(form, "items", "0", "price") !== null) {
    changed = await changePrice(sql, known, priceOrder(known, form, now));
  }
  const isCancelling = cancelling === "true";
  const isSame = cancelling === null || isCancelling === changed.cancel_at_period_end;
  // An empty day is none.
  if (isSame && form.cancel_at !== "") return changed;
  return setCancelling(sql, changed, isCancelling);
}

async function previewInvoice({ sql, form }: Call, now: Date): Promise<unknown> {
  const id = textAt(form, "subscription") ?? "";
  const known = there(await find(sql, "subscription", id, subscriptionSchema));
  const details = form.subscription_details;
  if (known.status === "canceled" || typeof details !== "object") throw invalid();
  return previewPrice(sql, known, priceOrder(known, details, now));
}

/** Reads a change of the price, which a change and its preview say alike. */
function priceOrder(known: Subscription, form: Form, now: Date): PriceOrder {
  const [item] = known.items.data;
  const price = priceOf(textAt(form, "items", "0", "price") ?? "");
  const isOne = textAt(form, "items", "0", "id") === item.id;
  const isAtOnce = textAt(form, "proration_behavior") === "always_invoice";
  if (!price || !isOne || !isAtOnce) throw invalid();
  const at = Number(textAt(form, "proration_date") ?? seconds(now));
  // The provider takes a moment of the current period alone. Here a period is renewed by a button only, maybe late.
  const last = Math.max(item.current_period_end, seconds(now));
  if (!Number.isInteger(at) || at < item.current_period_start || at > last) throw invalid();
  return { price, at, now };
}

async function listInvoices({ sql, query }: Call): Promise<unknown> {
  const invoices = await listOf(sql, "invoice", query.get("customer") ?? "", invoiceSchema);
  const subscription = query.get("subscription");
  const status = query.get("status");
  return list(
    invoices.filter(
      (one) =>
        (subscription === null || one.subscription === subscription) &&
        (status === null || one.status === status),
    ),
  );
}

async function openPortal({ sql, form }: Call, now: Date): Promise<Portal> {
  const customerId = textAt(form, "customer") ?? "";
  there(await find(sql, "customer", customerId, customerSchema));
  const returnUrl = textAt(form, "return_url");
  if (returnUrl === null) throw invalid();
  const id = newId("bps");
  const portal: Portal = {
    id,
    object: "billing_portal.session",
    customer: customerId,
    return_url: returnUrl,
    url: new URL(`/_dev/payments/portal/${id}`, returnUrl).href,
    created: seconds(now),
    livemode: false,
  };
  await keep(sql, portal, customerId);
  return portal;
}
