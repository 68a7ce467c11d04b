import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { unknownOperator } from "#domain/schemas/operator.ts";
import { contactAddressOf } from "../../server/config/contact-address.ts";
import { renderMail } from "../../supabase/functions/_shared/messages/render.ts";
import { handler } from "../../supabase/functions/contact/handler.ts";
import { latestMail } from "../harness/mailbox.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** The contact form's function: what reaches the operator's mailbox, how often, and that nobody else is written to. */

const MAILBOX = "bonjour@exemple.fr";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tournavis-contact-"));
  const file = join(folder, "operator.json");
  await writeFile(file, JSON.stringify({ contact_email: MAILBOX }));
  server = await startTestServer({ env: { OPERATOR_FILE: file } });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => server.database.sql`delete from private.rate_limits`.then(() => undefined));

const message = (changes: object = {}) => ({
  request_id: randomUUID(),
  topic: "demo",
  name: "Marie Petit",
  email: "marie@exemple.fr",
  message: "Bonjour,\n\nPouvez-vous me montrer Tournavis ?",
  ...changes,
});

async function send(body: object, url = server.url) {
  const response = await fetch(`${url}/functions/v1/contact`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const written = async () => {
  const [row] = await server.database.sql<{ count: number }[]>`
    select (select count(*) from private.outbox where template = 'contact_request')::integer as count`;
  return row?.count ?? 0;
};

test("a message reaches the operator's mailbox, with all that was written and nothing made of it", async () => {
  const text = `Bonjour <b>vous</b>, ${randomUUID()}`;
  expect(await send(message({ message: text }))).toMatchObject({
    status: 200,
    body: { success: true },
  });
  const mail = await latestMail(server, MAILBOX, { template: "contact_request" });
  expect(mail.subject).toBe("Un rendez-vous de démonstration\u00a0: Marie Petit");
  expect(mail.text).toContain(text);
  expect(mail.html).toContain("&lt;b&gt;vous&lt;/b&gt;");
  const rendered = await renderMail(
    {
      template: "contact_request",
      recipient: MAILBOX,
      data: {
        facts: {
          topic: "Autre chose",
          sender: "https://a.exemple\r\nBcc: b@exemple.fr",
          reply_to: "marie@exemple.fr",
          body: "x",
        },
      },
    },
    { siteUrl: "https://tournavis.exemple.fr", operator: unknownOperator },
  );
  expect(rendered.letter?.replyTo).toBe("marie@exemple.fr");
  // A name that is an address, or a header, is neither.
  expect(rendered.letter?.from).not.toMatch(/[\r\n@]|:\/\//);
});

test("sent twice, at once or later, it arrives once", async () => {
  const before = await written();
  const same = message();
  const answers = await Promise.all([send(same), send(same), send(same)]);
  answers.push(await send(same));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await written()).toBe(before + 1);
});

test("the sixth of an hour from one address is refused, and a repeat of the first is not", async () => {
  // In one transaction, whose clock stands still: no hour ends in between.
  const outcomes = await server.database.sql.begin(async (sql) => {
    const first = randomUUID();
    const ids = [first, ...Array.from({ length: 5 }, () => randomUUID()), first];
    const answers: string[] = [];
    for (const id of ids) {
      const [row] = await sql<{ outcome: string }[]>`
          select outcome from public.contact_operator(
            ${id}, ${MAILBOX}, 'Autre chose', 'Ana', 'ana@exemple.fr', 'Bonjour à vous', 'somewhere')`;
      answers.push(row?.outcome ?? "");
    }
    return answers;
  });
  expect(outcomes).toEqual([...Array(5).fill("sent"), "too_many_attempts", "repeated"]);
});

test("who is refused learns when to come again, and nothing is written", async () => {
  const before = await written();
  // Of this hour and the next: one may end while the test runs.
  await server.database.sql`
    insert into private.rate_limits (key, window_start, shard, hits, expires_at)
    select 'contact', private.window_start('1 hour') + n * interval '1 hour', s, 1000, now() + interval '3 hours'
    from generate_series(0, 1) n, generate_series(0, 15) s`;
  const refused = await send(message());
  expect(refused).toMatchObject({ status: 429, body: { error: { code: "too_many_attempts" } } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await written()).toBe(before);
});

test("a program that fills in what nobody sees gets the usual answer, and nothing is written", async () => {
  const before = await written();
  expect((await send(message({ website: "https://exemple.fr" }))).status).toBe(200);
  expect(await written()).toBe(before);
});

test.each([
  ["no identifier", { request_id: "un" }],
  ["another topic", { topic: "argent" }],
  ["no name", { name: "  " }],
  ["an object in place of a name", { name: { length: { toString: null } } }],
  ["no address", { email: "marie" }],
  ["an address that is a header", { email: "a@exemple.fr\r\nBcc: b@exemple.fr" }],
  ["next to nothing", { message: "Bonjour" }],
  ["too much", { message: "x".repeat(4001) }],
  ["another recipient", { to: "victime@exemple.fr" }],
])("%s is refused, and nothing is written", async (_, change) => {
  const before = await written();
  expect(await send(message(change))).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_request" } },
  });
  expect(await written()).toBe(before);
});

describe("where the operator gave no address", () => {
  const config = { operator: unknownOperator, mail: null, isProduction: true };

  test("a real service sends nothing; the local mode keeps it in its mailbox", () => {
    expect(contactAddressOf(config)).toBeNull();
    expect(contactAddressOf({ ...config, isProduction: false })).toMatch(/\.localhost$/);
    const mail = { smtpUrl: "smtp://mail.exemple.fr", from: "a@exemple.fr" };
    expect(contactAddressOf({ ...config, isProduction: false, mail })).toBeNull();
  });

  test("the function says so, and nothing is written", async () => {
    const before = await written();
    const request = new Request(`${server.url}/functions/v1/contact`, {
      method: "POST",
      body: JSON.stringify(message()),
    });
    const answer = await handler(request, {
      sql: server.database.sql,
      now: () => new Date("2026-11-23T10:00:00Z"),
      verifyAccessToken: async () => null,
      signApiToken: null,
      keyedHash: (_, value) => value,
      clientAddress: () => "192.0.2.1",
      payments: null,
      logos: null,
      log: () => undefined,
    });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: "contact_off" } });
    expect(await written()).toBe(before);
  });
});
