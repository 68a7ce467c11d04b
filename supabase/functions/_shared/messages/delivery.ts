import type { Sql } from "postgres";
import type { Deps } from "../http/deps.ts";
import { errorCode } from "../http/error-code.ts";
import { UnrenderableError } from "./render.ts";

/** A message that this worker alone has taken. */
type Message = {
  id: string;
  channel: "mail" | "sms" | "payment" | "file" | "push";
  template: string;
  recipient: string;
  data: unknown;
  /** Number of the attempt, 1 the first time. */
  attempt: number;
  created_at: Date;
};

/** Brings one message to its person, keeps it for the mailbox, or drops it where it has become useless; throws when it fails. */
export type Delivery = (message: Message) => Promise<"sent" | "captured" | "dropped">;

/** How each kind of message leaves. */
export type Deliveries = Readonly<Record<Message["channel"], Delivery>>;

/** Keeps messages for the mailbox of the local mode. */
export const capture: Delivery = async () => "captured";

/** Where a real service has nothing to send with. */
export const refuse: Delivery = async () => {
  throw new NoDriverError();
};

/** The same where the operator is about to say what to send with: tried again for as long as it is of use. */
export const waitForDriver: Delivery = async () => {
  throw new NoDriverError(false);
};

class NoDriverError extends Error {
  override readonly name = "NoDriverError";
  readonly code = "no_driver";

  constructor(readonly isPermanent = true) {
    super("Nothing is configured to send this with.");
  }
}

/** How many messages are on their way at once. */
const CONCURRENCY = 5;

/**
 * Takes the messages that are due and brings them away, a handful at a time, until none is left
 * or `isStopping` says so: what was taken and not tried is then given back. Answers how many left.
 */
export async function deliverDue(parts: {
  sql: Sql;
  deliveries: Deliveries;
  log: Deps["log"];
  isStopping: () => boolean;
}): Promise<number> {
  let delivered = 0;
  while (!parts.isStopping()) {
    const messages = await parts.sql<Message[]>`
      select id, channel, template, recipient, data, attempt, created_at
      from private.claim_messages(${CONCURRENCY})`;
    const settled = await Promise.all(messages.map((message) => deliver(message, parts)));
    delivered += settled.filter(Boolean).length;
    if (messages.length < CONCURRENCY) break;
  }
  return delivered;
}

async function deliver(
  message: Message,
  { sql, deliveries, log, isStopping }: Parameters<typeof deliverDue>[0],
): Promise<boolean> {
  const { id, attempt, channel, template } = message;
  if (isStopping()) {
    await sql`select private.release_message(${id}, ${attempt})`;
    return false;
  }
  const started = performance.now();
  const facts = () => ({
    channel,
    template,
    attempt,
    milliseconds: Math.round(performance.now() - started),
  });
  try {
    const outcome = await deliveries[channel](message);
    if (outcome === "captured") await sql`select private.message_captured(${id}, ${attempt})`;
    else await sql`select private.message_sent(${id}, ${attempt})`;
    log({ event: `message_${outcome}`, ...facts() });
    return true;
  } catch (error) {
    const code = failureCode(error);
    const [row] = await sql<{ state: string | null }[]>`
      select private.message_failed(${id}, ${attempt}, ${code}, ${isPermanent(error)},
        p_wait_s => ${waitSeconds(error)}) as state`;
    log({
      event: row?.state === "failed" ? "message_given_up" : "message_failed",
      level: "error",
      code,
      ...facts(),
    });
    return false;
  }
}

/** Code of a failure, with the number that a mail server gave; never its words: they quote addresses. */
function failureCode(error: unknown): string {
  const number = responseCode(error);
  return `${errorCode(error)}${number === null ? "" : `_${number}`}`.slice(0, 100);
}

/** Whether another attempt could not fare better: this address, or this message, is refused. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A worker of a newer release may know a template that this one does not.
  if (error instanceof UnrenderableError) return error.code !== "unknown_template";
  if ("isPermanent" in error) return error.isPermanent === true;
  const isRefusal = "code" in error && (error.code === "EENVELOPE" || error.code === "EMESSAGE");
  return isRefusal && (responseCode(error) ?? 0) >= 500;
}

/** Seconds that the other side wants us to wait; 0 where it did not say. */
function waitSeconds(error: unknown): number {
  if (!(error instanceof Error && "waitS" in error)) return 0;
  return typeof error.waitS === "number" ? Math.ceil(error.waitS) : 0;
}

function responseCode(error: unknown): number | null {
  if (!(error instanceof Error && "responseCode" in error)) return null;
  return typeof error.responseCode === "number" ? error.responseCode : null;
}
