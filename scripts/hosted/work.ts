import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { SMTPServer } from "smtp-server";
import { z } from "zod";
import type { Gateway } from "./gateway.ts";
import type { ProjectDatabase } from "./project-database.ts";

/** A mail server that takes everything, on a free port of this machine. */
export async function startMailServer() {
  const recipients: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, callback) {
      stream.resume().on("end", () => {
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
        callback();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    recipients,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
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
