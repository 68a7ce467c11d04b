import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { SMTPServer } from "smtp-server";
import { z } from "zod";
import { createOrganization } from "../../tests/harness/fixtures.ts";
import { makePushDevice } from "../../tests/harness/push-device.ts";
import type { Gateway } from "./gateway.ts";
import { listen } from "./listen.ts";
import type { ProjectDatabase } from "./project-database.ts";

/** Key and certificate of `localhost`, made for this command: they open nothing else, and hold until 2126. */
export const CERTIFICATE = new URL("localhost.pem", import.meta.url);

/**
 * A mail server that takes everything, on a free port of this machine. It speaks TLS from the first byte, as on port 465, the only
 * one for mails that functions of the platform reach.
 */
export async function startMailServer() {
  const recipients: string[] = [];
  const pem = await readFile(CERTIFICATE);
  const server = new SMTPServer({
    secure: true,
    key: pem,
    cert: pem,
    authOptional: true,
    logger: false,
    onData(stream, session, callback) {
      stream.resume().on("end", () => {
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
        callback();
      });
    },
  });
  const port = await listen(server.server);
  return {
    url: `smtps://localhost:${port}`,
    recipients,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A gateway of text messages that takes everything, on a free port of this machine. */
export async function startSmsGateway() {
  const bodies: string[] = [];
  const server = createServer(async (incoming, response) => {
    bodies.push(await text(incoming));
    response.writeHead(202).end();
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/messages`,
    bodies,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const request = z.object({ url: z.url(), headers: z.record(z.string(), z.string()) });

/** Plays the clock of the database: runs what is scheduled, and sends what that wants sent. */
async function tick(database: ProjectDatabase): Promise<number[]> {
  const owner = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    const jobs = await database.admin<{ command: string }[]>`
      select command from cron.job order by jobid`;
    for (const { command } of jobs) await owner.unsafe(command);
  } finally {
    await owner.end();
  }
  const waiting = await database.admin`delete from net.http_request_queue returning url, headers`;
  return Promise.all(
    waiting.map(async (row) => {
      const { url, headers } = request.parse(row);
      return (await fetch(url, { method: "POST", headers, body: "{}" })).status;
    }),
  );
}

/** Lets the project do its background work: a mail leaves, a file goes, and then nothing is called any more. */
export async function workAlone(
  database: ProjectDatabase,
  gateway: Gateway,
  mails: Awaited<ReturnType<typeof startMailServer>>,
): Promise<void> {
  const { admin } = database;
  const file = `${randomUUID()}/${randomUUID()}`;
  await admin`
    insert into storage.objects (bucket_id, name, created_at)
    values ('logo-uploads', ${file}, now() - interval '2 hours')`;
  const data = { path: "/dashboard", name: "Ana Petit", code: "123456" };
  await admin`select private.enqueue_mail('reauthentication', 'ana@exemple.fr', ${admin.json(data)})`;
  const statuses = await tick(database);
  const problem = (what: string) => new Error(`The project does not work alone: ${what}.`);
  if (statuses.join() !== "200") throw problem(`run-jobs answered ${statuses.join() || "nothing"}`);
  if (mails.recipients.join() !== "ana@exemple.fr") throw problem("the mail did not leave");
  if (gateway.removed.join() !== `logo-uploads/${file}`) throw problem("the file was not removed");
  const failed =
    await admin`select name, last_error from private.jobs where last_error is not null`;
  if (failed.length > 0) throw problem(JSON.stringify(failed));
  const [left] = await admin<{ count: number }[]>`
    select count(*)::integer from private.outbox where state = 'queued'`;
  if (left?.count !== 0) throw problem("messages are left");
  await delay(0);
  if ((await tick(database)).length > 0) throw problem("run-jobs is called although nothing waits");
}

/** Where a name that does not exist ends: there is no service that a message could reach from here. */
const NO_SUCH_NAME = ["ENOTFOUND", "EAI_AGAIN"];

/**
 * Lets the project send a text message, which arrives, and a push message, which gets as far as the name of its service. Nothing
 * is left of the organisation that they are about.
 */
export async function sendMessages(
  database: ProjectDatabase,
  sms: Awaited<ReturnType<typeof startSmsGateway>>,
): Promise<void> {
  const { admin } = database;
  const { id, users } = await createOrganization(admin);
  const { endpoint, p256dh, auth } = makePushDevice();
  const data = admin.json({ store: "Café Bertille", rating: 2, review: randomUUID() });
  const [device] = await admin<{ id: string }[]>`
    insert into private.push_devices (org_id, user_id, session_id, endpoint, p256dh, auth, label)
    values (${id}, ${users.owner.id}, ${users.owner.id}, ${endpoint}, ${p256dh}, ${auth}, 'Chrome') returning id`;
  const [written] = await admin<{ push: string }[]>`
    select private.enqueue_message('push', 'low_rating', ${device?.id ?? ""}, ${data}, null) as push,
      private.enqueue_message('sms', 'low_rating', '+33612345678', ${data}, null)`;
  const statuses = await tick(database);
  if (statuses.join() !== "200") throw new Error(`run-jobs answered ${statuses.join()}.`);
  if (sms.bodies.length !== 1) throw new Error(`${sms.bodies.length} text messages left.`);
  const [push] = await admin<{ last_error: string | null }[]>`
    select last_error from private.outbox where id = ${written?.push ?? null}`;
  if (!NO_SUCH_NAME.includes(push?.last_error ?? "")) {
    throw new Error(`The push message ended with ${push?.last_error ?? "nothing"}.`);
  }
  await admin`delete from private.outbox where channel in ('push', 'sms')`;
  await admin`delete from public.organizations where id = ${id}`;
  await admin`delete from auth.users where id in ${admin(Object.values(users).map((user) => user.id))}`;
}
