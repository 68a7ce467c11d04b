import { beforeEach, expect, it } from "vitest";
import type { LogEntry } from "../../../supabase/functions/_shared/http/deps.ts";
import {
  capture,
  type Deliveries,
  type Delivery,
  deliverDue,
  refuse,
  waitForDriver,
} from "../../../supabase/functions/_shared/messages/delivery.ts";
import { UnrenderableError } from "../../../supabase/functions/_shared/messages/render.ts";
import { setUpTestDatabase } from "../../harness/database.ts";

/**
 * Fate of a message by the end of its delivery: which failure is tried again, and which is given up
 * at once.
 */

const database = setUpTestDatabase();

beforeEach(() => database.sql`delete from private.outbox`.then(() => undefined));

async function write(count = 1): Promise<void> {
  await database.sql`
    select private.enqueue_mail('recovery', n || '@exemple.fr', '{}') from generate_series(1, ${count}::integer) n`;
}

async function deliver(mail: Delivery, isStopping: () => boolean = () => false) {
  const log: LogEntry[] = [];
  const others = { sms: refuse, payment: refuse, file: refuse, push: refuse };
  const deliveries: Deliveries = { mail, ...others };
  const delivered = await deliverDue({
    sql: database.sql,
    deliveries,
    log: (line) => void log.push(line),
    isStopping,
  });
  return { delivered, log };
}

const states = async () => {
  const rows = await database.sql<{ state: string; last_error: string | null }[]>`
    select state, last_error from private.outbox order by recipient`;
  return rows.map(({ state, last_error }) => [state, last_error].filter(Boolean).join(" "));
};

const failure = (facts: object) => Object.assign(new Error("x"), facts);

const failing = (error: unknown): Delivery => {
  return async () => {
    throw error;
  };
};

it.each<[string, unknown, string]>([
  ["a line that broke", failure({ code: "ECONNECTION" }), "queued ECONNECTION"],
  ["an error that says nothing", new Error("x"), "queued Error"],
  ["no error at all", "x", "queued string"],
  // Our own password is wrong, or was changed: nothing of the message.
  [
    "a server that does not know us",
    failure({ code: "EAUTH", responseCode: 535 }),
    "queued EAUTH_535",
  ],
  [
    "an address that has to wait",
    failure({ code: "EENVELOPE", responseCode: 450 }),
    "queued EENVELOPE_450",
  ],
  ["an address in doubt", failure({ code: "EENVELOPE" }), "queued EENVELOPE"],
  ["an answer in words", failure({ code: "EENVELOPE", responseCode: "550" }), "queued EENVELOPE"],
  [
    "an address that is refused",
    failure({ code: "EENVELOPE", responseCode: 500 }),
    "failed EENVELOPE_500",
  ],
  [
    "a message that is refused",
    failure({ code: "EMESSAGE", responseCode: 554 }),
    "failed EMESSAGE_554",
  ],
  [
    "a template of a newer release",
    new UnrenderableError("unknown_template"),
    "queued unknown_template",
  ],
  ["words that cannot be made", new UnrenderableError("invalid_data"), "failed invalid_data"],
  ["what says that it stays so", failure({ isPermanent: true }), "failed Error"],
  [
    "what says that it passes",
    failure({ isPermanent: false, code: "EENVELOPE", responseCode: 550 }),
    "queued EENVELOPE_550",
  ],
  ["a code that is far too long", failure({ code: "E".repeat(200) }), `queued ${"E".repeat(100)}`],
])("%s: %j leaves it %s", async (_, error, state) => {
  await write();
  const { delivered, log } = await deliver(failing(error));
  expect(delivered).toBe(0);
  expect(await states()).toEqual([state]);
  const [word = "", code] = state.split(" ");
  expect(log).toEqual([
    {
      event: word === "failed" ? "message_given_up" : "message_failed",
      level: "error",
      code,
      channel: "mail",
      template: "recovery",
      attempt: 1,
      milliseconds: expect.any(Number),
    },
  ]);
});

it("goes for good without a driver, and waits for one that is about to come", async () => {
  await write();
  await deliver(waitForDriver);
  expect(await states()).toEqual(["queued no_driver"]);
  await database.sql`update private.outbox set next_attempt_at = now()`;
  await deliver(refuse);
  expect(await states()).toEqual(["failed no_driver"]);
});

it.each<[string, Delivery]>([
  ["sent", async () => "sent"],
  ["captured", capture],
])("all that is due is %s, more than a handful", async (state, delivery) => {
  await write(12);
  const { delivered, log } = await deliver(delivery);
  expect(delivered).toBe(12);
  expect(await states()).toEqual(Array(12).fill(state));
  expect(log).toHaveLength(12);
  expect(log[0]).toEqual({
    event: `message_${state}`,
    channel: "mail",
    template: "recovery",
    attempt: 1,
    milliseconds: expect.any(Number),
  });
  const [first] = log;
  expect(Number(first && "milliseconds" in first && first.milliseconds)).toBeLessThan(60_000);
});

it("counts those that left, beside one that did not", async () => {
  await write(5);
  const { delivered } = await deliver(async ({ recipient }) => {
    if (recipient.startsWith("3")) throw failure({ code: "ECONNECTION" });
    return "sent";
  });
  expect(delivered).toBe(4);
  expect((await states()).toSorted()).toEqual(["queued ECONNECTION", ...Array(4).fill("sent")]);
});

it("takes nothing where all is about to stop, and gives back what it has taken", async () => {
  await write(2);
  expect(await deliver(capture, () => true)).toEqual({ delivered: 0, log: [] });
  const attempts = () => database.sql`
    select sum(attempts)::integer as attempts, bool_and(next_attempt_at <= now()) as is_due from private.outbox`;
  expect(await attempts()).toEqual([{ attempts: 0, is_due: true }]);
  let asked = 0;
  const stopping = await deliver(capture, () => {
    asked += 1;
    return asked > 1;
  });
  expect(stopping).toEqual({ delivered: 0, log: [] });
  expect(await states()).toEqual(["queued", "queued"]);
  expect(await attempts()).toEqual([{ attempts: 2, is_due: true }]);
});
