import type { Sql } from "postgres";
import type { SendOutside } from "../http/outside-request.ts";
import type { Delivery } from "./delivery.ts";
import { readPush } from "./read-push.ts";
import type { VapidKeys } from "./vapid-keys.ts";

/** How long a push service keeps a message for a device that is off, in seconds: as long as ours is of use. */
const OF_USE_S = 24 * 60 * 60;

/** Longest that a push service can put us off, in seconds. */
const MAX_RETRY_AFTER_S = 60 * 60;

/** Kinds of message that wake a sleeping phone (RFC 8030, section 5.3). */
const URGENT: readonly string[] = ["low_rating"];

/** How messages reach browsers. */
export type PushOptions = {
  sql: Sql;
  keys: VapidKeys;
  /** Whom a push service may write to: `mailto:…` or an https address. */
  subject: string;
  now: () => Date;
  /** How a message goes out to the address that a browser gave us. */
  send: SendOutside;
};

/** An answer of a push service that is not a success. */
class PushServiceError extends Error {
  override readonly name = "PushServiceError";
  readonly code: string;
  readonly isPermanent: boolean;
  /** Seconds that it wants us to wait; 0 where it does not say. */
  readonly waitS: number;

  constructor(status: number, waitS: number) {
    super(`The push service answered ${status}.`);
    this.code = `HTTP_${status}`;
    // Too many requests and a service in trouble pass; a refused message stays refused.
    this.isPermanent = status < 500 && status !== 429 && status !== 408;
    this.waitS = Math.min(waitS, MAX_RETRY_AFTER_S);
  }
}

/**
 * Sends push messages (Web Push: RFC 8030, encrypted by RFC 8291, signed by RFC 8292). Where it goes is asked of the
 * database at this moment: nothing is sent to a member who may no longer be notified. A device that its service no longer knows is
 * forgotten.
 */
export function createPushDelivery(options: PushOptions): Delivery {
  const { sql, keys, subject, now, send } = options;
  return async ({ id, template, recipient, data, created_at }) => {
    const text = readPush({ template, data });
    const [device] = await sql<{ endpoint: string; p256dh: string; auth: string }[]>`
      select endpoint, p256dh, auth from private.push_target(${recipient}, ${template})`;
    if (!device) return "dropped";
    // Seldom needed: loaded for the first of them.
    const { default: webPush } = await import("web-push");
    const age = (now().getTime() - created_at.getTime()) / 1_000;
    const { endpoint, p256dh, auth } = device;
    // Names the message: what is sent twice replaces itself, at the service and on the device.
    const topic = id.replaceAll("-", "");
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify({ ...text, tag: topic }),
      {
        vapidDetails: { subject, ...keys },
        TTL: Math.max(0, Math.round(OF_USE_S - age)),
        urgency: URGENT.includes(template) ? "high" : "normal",
        topic,
      },
    );
    const { status, retryAfter } = await send(endpoint, {
      headers,
      body: body && new Uint8Array(body),
    });
    const isGone = status === 404 || status === 410;
    if (!isGone && (status < 200 || status > 299)) {
      throw new PushServiceError(status, readRetryAfter(retryAfter, now()));
    }
    await sql`select private.note_push(${recipient}, ${isGone})`;
    return isGone ? "dropped" : "sent";
  };
}

/** Seconds from a moment that `Retry-After` asks for, as a number or a date (RFC 9110, section 10.2.3); 0 where it says neither. */
function readRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0;
  const waitS = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1_000;
  return Math.max(0, waitS || 0);
}
