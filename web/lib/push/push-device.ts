import * as z from "zod/mini";
import type { App } from "../app-context.ts";
import { AppError, dataError } from "../app-error.ts";
import { readAccessToken } from "../auth/access-token.ts";
import { deviceName } from "../auth/device-name.ts";
import { readUserAgent } from "../auth/user-agent.ts";
import { deviceMemory } from "../device-memory.ts";

/** This browser as a push device: its permission, its worker, its endpoint at its vendor, and what the platform knows of it. */

/** Its owner said no when the browser asked. */
export const REFUSED = "push_refused";

/** The browser has no way to its vendor, or none that it gives us. */
export const UNAVAILABLE = "push_unavailable";

const WORKER = "/push-worker.js";
const SCOPE = "/push/";

/** Person, session and end of the address that were registered last. */
const DEVICE_KEY = "tournavis-push";

const subscription = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
});

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Whether the browser's vendor knows us by another key: of another installation, or of before. */
function isOtherKey(found: PushSubscription, key: Uint8Array): boolean {
  const bytes = new Uint8Array(found.options.applicationServerKey ?? new ArrayBuffer(0));
  return bytes.length !== key.length || bytes.some((byte, index) => byte !== key[index]);
}

/** The address of this browser, made where there is none for our key. */
async function subscribe(worker: ServiceWorkerRegistration, key: string) {
  const applicationServerKey = bytesOf(key);
  const found = await worker.pushManager.getSubscription();
  if (found && !isOtherKey(found, applicationServerKey)) return found;
  await found?.unsubscribe();
  return worker.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey })
    .catch((cause: unknown) => {
      throw new AppError(UNAVAILABLE, { cause });
    });
}

/** Signed-in user of this device, and their session. */
async function readerOf({ auth }: App): Promise<[user: string, session: string]> {
  const session = await auth.ready();
  if (!session) return ["", ""];
  return [session.user.id, readAccessToken(session.access_token).session_id ?? ""];
}

async function save(app: App, orgId: string, made: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.parse(made.toJSON());
  const answer = await app.supabase.rpc("save_push_device", {
    p_org_id: orgId,
    p_endpoint: endpoint,
    p_p256dh: keys.p256dh,
    p_auth: keys.auth,
    p_label: deviceName(readUserAgent(navigator.userAgent)),
  });
  if (answer.error) throw dataError(answer);
  deviceMemory.write(DEVICE_KEY, nameOf(await readerOf(app), made));
}

/**
 * Name under which a subscription is remembered here: enough to see a change, without the address.
 */
function nameOf([user, session]: readonly string[], { endpoint }: PushSubscription): string {
  return `${user} ${session} ${endpoint.slice(-12)}`;
}

/** Subscribes this browser: asks its user for permission, its vendor for an endpoint, and registers it with the platform. */
export async function turnOn(app: App, orgId: string): Promise<void> {
  const { push_key } = app.config;
  if (push_key === null) throw new AppError(UNAVAILABLE);
  if ((await Notification.requestPermission()) !== "granted") throw new AppError(REFUSED);
  const worker = await navigator.serviceWorker
    .register(WORKER, { scope: SCOPE })
    .catch((cause: unknown) => {
      throw new AppError(UNAVAILABLE, { cause });
    });
  await active(worker);
  await save(app, orgId, await subscribe(worker, push_key));
}

/** Waits until a worker runs: before that, no browser gives it an address. */
async function active(worker: ServiceWorkerRegistration): Promise<void> {
  const starting = worker.installing ?? worker.waiting;
  if (worker.active || !starting) return;
  await new Promise<void>((resolve) => {
    starting.addEventListener("statechange", () => starting.state === "activated" && resolve());
  });
}

/** Cancels this browser's subscription: nothing arrives here any more, even from servers that still know it. */
export async function turnOff(): Promise<void> {
  deviceMemory.write(DEVICE_KEY, "");
  if (!("serviceWorker" in navigator)) return;
  const worker = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

/**
 * Registers this browser again where the person who turned it on has signed in anew since, or its vendor gave it
 * another address. What they took off the list from elsewhere stays off for as long as they stay signed in.
 */
export async function keepOn(app: App, orgId: string): Promise<void> {
  const { push_key } = app.config;
  const known = deviceMemory.read(DEVICE_KEY);
  if (push_key === null || !known) return;
  const reader = await readerOf(app);
  // Another user of the same computer has not subscribed.
  if (known.split(" ")[0] !== reader[0]) return;
  const worker = await navigator.serviceWorker.getRegistration(SCOPE);
  if (!worker) return;
  const made = await subscribe(worker, push_key);
  if (nameOf(reader, made) !== known) await save(app, orgId, made);
}
