import * as z from "zod/mini";
import type { App } from "../app-context.ts";
import { AppError, dataError, NETWORK } from "../app-error.ts";
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

/** Longest wait for the browser's vendor, in milliseconds, with a network and without: Chromium never gives up by itself. */
const PATIENCE_MS = 10_000;
const OFFLINE_PATIENCE_MS = 2_000;

/** Person, session and end of the address that were registered last; the person alone while no answer has come. */
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

/** Answer of the browser about its worker or vendor. Errors: network without an answer in time, push_unavailable. */
async function answerOf<T>(asked: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const patience = navigator.onLine ? PATIENCE_MS : OFFLINE_PATIENCE_MS;
    timer = setTimeout(() => reject(new AppError(NETWORK)), patience);
  });
  const failing = asked.catch((cause: unknown) => {
    throw new AppError(navigator.onLine ? UNAVAILABLE : NETWORK, { cause });
  });
  return Promise.race([failing, tooLate]).finally(() => clearTimeout(timer));
}

/** The address of this browser, made where there is none for our key. */
async function subscribe(worker: ServiceWorkerRegistration, key: string) {
  const applicationServerKey = bytesOf(key);
  const found = await worker.pushManager.getSubscription();
  if (found && !isOtherKey(found, applicationServerKey)) return found;
  await found?.unsubscribe();
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
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

/**
 * Subscribes this browser: asks its user for permission, its vendor for an endpoint, and registers it with the platform. What
 * a lost answer leaves open is made again by `keepOn`; a refusal leaves nothing behind.
 */
export async function turnOn(app: App, orgId: string): Promise<void> {
  const { push_key } = app.config;
  if (push_key === null) throw new AppError(UNAVAILABLE);
  if ((await Notification.requestPermission()) !== "granted") throw new AppError(REFUSED);
  const worker = await answerOf(start());
  const before = await worker.pushManager.getSubscription();
  const known = deviceMemory.read(DEVICE_KEY) ?? "";
  const [user] = await readerOf(app);
  deviceMemory.write(DEVICE_KEY, user);
  try {
    await save(app, orgId, await answerOf(subscribe(worker, push_key)));
  } catch (error) {
    if (error instanceof AppError && error.code === NETWORK) throw error;
    deviceMemory.write(DEVICE_KEY, known);
    const left = await worker.pushManager.getSubscription();
    if (left?.endpoint !== before?.endpoint) await left?.unsubscribe();
    throw error;
  }
}

/** Starts the worker: before it runs, no browser gives it an address. */
async function start(): Promise<ServiceWorkerRegistration> {
  const worker = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  const starting = worker.installing ?? worker.waiting;
  if (worker.active || !starting) return worker;
  return new Promise((resolve, reject) => {
    starting.addEventListener("statechange", () => {
      if (starting.state === "activated") resolve(worker);
      if (starting.state === "redundant") reject(new Error("The worker did not start."));
    });
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
  const made = await answerOf(subscribe(worker, push_key));
  if (nameOf(reader, made) !== known) await save(app, orgId, made);
}
