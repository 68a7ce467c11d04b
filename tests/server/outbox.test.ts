import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { enqueueMail, enqueueSms } from "../../server/mail/outbox.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { PRODUCTION, startTestServer, type TestServer } from "../harness/server.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { startProgram, temporaryFolder } from "./program.ts";

const FROM = "Tournavis <bonjour@avis.exemple.fr>";
const LINK = "https://avis.exemple.fr/auth/v1/verify?token=jeton-secret&type=recovery";
const POLL = { timeout: 30_000, interval: 20 };

/** The port of a service that only discards, which nobody runs. */
const NO_MAIL_SERVER = "smtp://127.0.0.1:9";

/** Messages that a server has under way at once. */
const CONCURRENCY = 5;

async function testDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

async function start(database: TestDatabase, env: Record<string, string>): Promise<TestServer> {
  const server = await startTestServer({ database, env });
  onTestFinished(() => server.stop());
  return server;
}

const sends = ({ url }: Pick<MailServer, "url">) => ({ SMTP_URL: url, MAIL_FROM: FROM });

const write = ({ sql }: TestDatabase, to = "ana@exemple.fr") =>
  enqueueMail(sql, { template: "recovery", to, data: { url: LINK, name: "Ana Petit" } });

const stateOf = async ({ sql }: TestDatabase, id: string) => {
  const [row] = await sql`
    select state, attempts, last_error, data from private.outbox where id = ${id}`;
  return row;
};

/** Lets the time of a back-off, or of a lease, be over. */
const letTimePass = ({ sql }: TestDatabase) => sql`
  with due as (update private.outbox set next_attempt_at = now() where state = 'queued')
  select pg_notify('tournavis_outbox', '')`;

describe("a mail", () => {
  it("that a merchant wrote is theirs, in the language that its header says, and is answered to them", async () => {
    const mails = await startMailServer();
    const database = await testDatabase();
    await start(database, sends(mails));
    const facts = {
      store: "Le Comptoir",
      body: "Bonjour Ana,\n\nMerci.",
      reply_to: "marie@exemple.fr",
    };
    const [row] = await database.sql<{ id: string }[]>`
      select private.enqueue_mail('review_answer', 'ana@exemple.fr', ${database.sql.json({ facts, locale: "de" })}) as id`;
    await expect
      .poll(async () => (await stateOf(database, row?.id ?? ""))?.state, POLL)
      .toBe("sent");
    const headers = Object.fromEntries(mails.received[0]?.headers ?? []);
    expect(headers).toMatchObject({
      from: "=?UTF-8?Q?Le_Comptoir_=C3=BCber_Tournavis?= <bonjour@avis.exemple.fr>",
      "reply-to": "marie@exemple.fr",
      subject: "Le Comptoir antwortet Ihnen",
      "content-language": "de",
    });
    // An absence notice may answer a person's mail.
    expect(headers).not.toHaveProperty("auto-submitted");
  });

  it("leaves through the mail server, as HTML and as plain text", async () => {
    const mails = await startMailServer();
    const database = await testDatabase();
    const server = await start(database, sends(mails));
    const id = await write(database);
    await expect.poll(async () => (await stateOf(database, id))?.state, POLL).toBe("sent");
    expect(await stateOf(database, id)).toMatchObject({ data: {}, attempts: 1, last_error: null });

    expect(mails.received).toHaveLength(1);
    const [mail] = mails.received;
    expect(mail).toMatchObject({ from: "bonjour@avis.exemple.fr", to: ["ana@exemple.fr"] });
    expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
      from: FROM,
      to: "ana@exemple.fr",
      subject: "Choisissez un nouveau mot de passe",
      "message-id": `<${id}@avis.exemple.fr>`,
      "auto-submitted": "auto-generated",
      "content-language": "fr",
      "mime-version": "1.0",
      "content-type": expect.stringMatching(/^multipart\/alternative; boundary=/),
    });
    // The simple form first, as mail programs expect it.
    expect(mail?.raw).toMatch(/text\/plain; charset=utf-8[\s\S]+text\/html; charset=utf-8/);
    const unwrapped = mail?.raw.replace(/=\r\n/g, "").replaceAll("=3D", "=");
    expect(unwrapped).toContain(`\r\n${LINK}\r\n`);
    expect(unwrapped).toContain(`href="${LINK.replaceAll("&", "&amp;")}"`);

    const log = JSON.stringify(server.log);
    expect(log).toContain("message_sent");
    for (const secret of ["ana@", "Ana", "jeton-secret", "127.0.0.1"]) {
      expect(log).not.toContain(secret);
    }
  });

  it("is given up unsent where its address is none, whoever wrote it down", async () => {
    const mails = await startMailServer();
    const database = await testDatabase();
    const server = await start(database, sends(mails));
    for (const address of [
      "ana@exemple.fr, autre@exemple.fr\r\nBcc: trois@exemple.fr",
      "<ana@exemple.fr>",
      "ana@exemple.fr>",
      "ana@exemple.fr\nRCPT TO:<autre@exemple.fr>",
      "é@exemple.fr",
    ]) {
      const id = await write(database, address);
      await expect
        .poll(() => stateOf(database, id), POLL)
        .toMatchObject({ state: "failed", attempts: 1, last_error: "invalid_recipient", data: {} });
    }
    expect(mails.attempts()).toBe(0);
    expect(JSON.stringify(server.log)).not.toContain("exemple.fr>");
  });

  it("is tried again when the mail server is busy, and arrives once", async () => {
    const mails = await startMailServer();
    mails.answer({ code: 451, at: "content" });
    const database = await testDatabase();
    const server = await start(database, sends(mails));
    const id = await write(database);
    await expect
      .poll(() => stateOf(database, id), POLL)
      .toMatchObject({ state: "queued", attempts: 1, last_error: "EMESSAGE_451" });
    expect(JSON.stringify(server.log)).not.toContain("ana@");
    mails.answer(null);
    await letTimePass(database);
    await expect.poll(async () => (await stateOf(database, id))?.state, POLL).toBe("sent");
    expect(mails.received).toHaveLength(1);
  });

  it("waits while no mail server is there", async () => {
    const database = await testDatabase();
    const server = await startTestServer({ database, env: sends({ url: NO_MAIL_SERVER }) });
    const id = await write(database);
    await expect
      .poll(() => stateOf(database, id), POLL)
      .toMatchObject({ state: "queued", attempts: 1, last_error: "ESOCKET" });
    await server.stop();
    const mails = await startMailServer();
    await start(database, sends(mails));
    await letTimePass(database);
    await expect.poll(async () => (await stateOf(database, id))?.state, POLL).toBe("sent");
    expect(mails.received).toHaveLength(1);
  });

  it("is given up when its address is refused for good, with its secrets", async () => {
    const mails = await startMailServer();
    mails.answer({ code: 550, at: "recipient" });
    const database = await testDatabase();
    await start(database, sends(mails));
    const id = await write(database);
    await expect
      .poll(() => stateOf(database, id), POLL)
      .toMatchObject({ state: "failed", attempts: 1, last_error: "EENVELOPE_550", data: {} });
    expect(mails.received).toHaveLength(0);
  });

  it("that cannot be written does not hold up the others", async () => {
    const mails = await startMailServer();
    const database = await testDatabase();
    const bad = await enqueueMail(database.sql, {
      template: "recovery",
      to: "a@exemple.fr",
      data: {},
    });
    const good = await write(database);
    await start(database, sends(mails));
    await expect.poll(async () => (await stateOf(database, good))?.state, POLL).toBe("sent");
    await expect
      .poll(() => stateOf(database, bad), POLL)
      .toMatchObject({ state: "failed", last_error: "missing_value" });
  });
});

describe("several servers on one database", () => {
  it("send each mail once", async () => {
    const mails = await startMailServer();
    const database = await testDatabase();
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, index) => write(database, `client${index}@exemple.fr`)),
    );
    // Held until more are under way than one server takes: otherwise the first could send them all.
    const letGo = mails.hold();
    const servers = await Promise.all([1, 2, 3].map(() => start(database, sends(mails))));
    await expect.poll(mails.attempts, POLL).toBeGreaterThan(CONCURRENCY);
    letGo();
    const left = async () => {
      const [row] = await database.sql`
        select count(*)::int as left from private.outbox where state <> 'sent'`;
      return row?.left;
    };
    await expect.poll(left, POLL).toBe(0);
    const arrived = mails.received.map(({ headers }) => headers.get("message-id"));
    expect(arrived.sort()).toEqual(ids.map((id) => `<${id}@avis.exemple.fr>`).sort());
    expect(
      servers.filter(({ log }) => log.some(({ event }) => event === "message_sent")).length,
    ).toBeGreaterThan(1);
  });
});

describe("a server that stops", () => {
  it("finishes the mail that is on its way", async () => {
    const mails = await startMailServer();
    const letGo = mails.hold();
    const database = await testDatabase();
    const server = await startTestServer({ database, env: sends(mails) });
    const id = await write(database);
    await expect.poll(mails.attempts, POLL).toBe(1);
    const stopped = server.stop();
    letGo();
    await stopped;
    expect(await stateOf(database, id)).toMatchObject({ state: "sent", attempts: 1 });
    expect(mails.received).toHaveLength(1);
  });

  it("does not wait for ever, and leaves the mail to the next", async () => {
    const mails = await startMailServer();
    const letGo = mails.hold();
    const database = await testDatabase();
    const server = await startTestServer({ database, env: sends(mails) });
    const id = await write(database);
    await expect.poll(mails.attempts, POLL).toBe(1);
    const began = performance.now();
    await server.stop();
    // Not the thirty seconds after which a mail server's silence ends a connection.
    expect(performance.now() - began).toBeLessThan(25_000);
    expect(await stateOf(database, id)).toMatchObject({ state: "queued", data: { url: LINK } });
    letGo();
    await start(database, sends(mails));
    await letTimePass(database);
    await expect.poll(async () => (await stateOf(database, id))?.state, POLL).toBe("sent");
  });

  it("killed in the middle, loses no mail: it is sent again once its claim is over", async () => {
    const mails = await startMailServer();
    const letGo = mails.hold();
    const database = await testDatabase();
    const program = startProgram({
      argv: ["--no-demo"],
      env: {
        DATABASE_URL: database.url,
        TOURNAVIS_DATA: await temporaryFolder(),
        ...sends(mails),
      },
    });
    await program.url;
    const id = await write(database);
    await expect.poll(mails.attempts, POLL).toBe(1);
    program.signal("SIGKILL");
    await program.ended;
    expect(await stateOf(database, id)).toMatchObject({ state: "queued", attempts: 1 });
    letGo();

    await start(database, sends(mails));
    // Until its turn is over nobody else touches it, however often somebody looks.
    await database.sql`select pg_notify('tournavis_outbox', '')`;
    const other = await write(database, "autre@exemple.fr");
    await expect.poll(async () => (await stateOf(database, other))?.state, POLL).toBe("sent");
    expect(await stateOf(database, id)).toMatchObject({ state: "queued", attempts: 1 });
    await letTimePass(database);
    await expect
      .poll(() => stateOf(database, id), POLL)
      .toMatchObject({ state: "sent", attempts: 2 });
    const ids = mails.received.map(({ headers }) => headers.get("message-id"));
    expect(ids).toContain(`<${id}@avis.exemple.fr>`);
  });
});

describe("a text message", () => {
  /** A gateway that answers with the statuses in turn, then with 202. */
  async function startGateway(...statuses: number[]) {
    const requests: { headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
    const gateway = createServer(async (incoming, response) => {
      let body = "";
      for await (const part of incoming.setEncoding("utf8")) body += part;
      requests.push({ headers: incoming.headers, body });
      response.writeHead(statuses.shift() ?? 202).end();
    });
    await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
    const { port } = gateway.address() as AddressInfo;
    onTestFinished(() => {
      gateway.closeAllConnections();
      gateway.close();
    });
    const env = { SMS_URL: `http://127.0.0.1:${port}/envoi`, SMS_TOKEN: "jeton-sms" };
    return { requests, env };
  }

  it("goes to the gateway, again when that is busy", async () => {
    const { requests, env } = await startGateway(503);
    const database = await testDatabase();
    const server = await start(database, env);
    const message = { to: "+33612345678", body: "483920 est votre code Tournavis." };
    const id = await enqueueSms(database.sql, message);
    await expect
      .poll(() => stateOf(database, id), POLL)
      .toMatchObject({ state: "queued", last_error: "HTTP_503" });
    await letTimePass(database);
    await expect.poll(() => stateOf(database, id), POLL).toMatchObject({ state: "sent", data: {} });
    expect(requests).toHaveLength(2);
    for (const { headers, body } of requests) {
      expect(headers).toMatchObject({ authorization: "Bearer jeton-sms", "idempotency-key": id });
      expect(JSON.parse(body)).toEqual(message);
    }
    expect(JSON.stringify(server.log)).not.toMatch(/483920|33612345678|jeton-sms/);
  });

  it("is given up when the gateway refuses it", async () => {
    const { env } = await startGateway(422);
    const database = await testDatabase();
    await start(database, env);
    const id = await enqueueSms(database.sql, { to: "+33612345678", body: "Bonjour" });
    await expect
      .poll(() => stateOf(database, id), POLL)
      .toMatchObject({ state: "failed", last_error: "HTTP_422", data: {} });
  });

  it("is never captured in production mode", async () => {
    const database = await testDatabase();
    await start(database, PRODUCTION);
    const id = await enqueueSms(database.sql, { to: "+33612345678", body: "Bonjour" });
    await expect
      .poll(() => stateOf(database, id), POLL)
      .toMatchObject({ state: "failed", last_error: "no_driver", data: {} });
  });
});
