import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

/** How long a message may take: a matter of milliseconds, since sending starts at once, but not on a busy machine. */
const TIMEOUT_MS = 30_000;
const PAUSE_MS = 25;

const captured = z.object({
  id: z.uuid(),
  channel: z.enum(["mail", "sms"]),
  template: z.string(),
  to: z.string(),
  subject: z.string().nullable(),
  text: z.string(),
  html: z.string().nullable(),
  links: z.array(z.string()),
  created_at: z.iso.datetime({ offset: true }),
});

/** A message of the local mailbox, as its person would have got it; `subject` and `html` are null for an SMS. */
export type CapturedMessage = z.infer<typeof captured>;

/** Messages to one recipient, newest first. `at` is the server's address, or the server itself. */
export async function mailsTo(
  at: string | { url: string },
  to: string,
): Promise<CapturedMessage[]> {
  const url = typeof at === "string" ? at : at.url;
  const response = await fetch(`${url}/_dev/mailbox/messages.json?to=${encodeURIComponent(to)}`);
  if (!response.ok) throw new Error(`The mailbox answered ${response.status}.`);
  return z.array(captured).parse(await response.json());
}

/**
 * Waits for the newest message to somebody and answers it. With `template` only that kind counts,
 * with `after` only a message that came after that one (its `id`, or the moment it was written).
 */
export async function latestMail(
  at: string | { url: string },
  to: string,
  { template, after }: { template?: string; after?: CapturedMessage | Date } = {},
): Promise<CapturedMessage> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const messages = await mailsTo(at, to);
    const found = messages.find(
      (message) =>
        (template === undefined || message.template === template) && isAfter(message, after),
    );
    if (found) return found;
    if (performance.now() > deadline) {
      const seen = messages.map((message) => message.template).join(", ") || "none";
      throw new Error(`No ${template ?? "message"} to ${to} within ${TIMEOUT_MS} ms (${seen}).`);
    }
    await delay(PAUSE_MS);
  }
}

function isAfter(message: CapturedMessage, after: CapturedMessage | Date | undefined): boolean {
  if (after === undefined) return true;
  if (after instanceof Date) return Date.parse(message.created_at) > after.getTime();
  // Identifiers are in the order of time.
  return message.id > after.id;
}
