import * as z from "zod/mini";
import { HOUR_MS } from "#domain/text/durations.ts";

/** `tab` lives as long as the tab, `phone` until it expires. */
export type Area = "tab" | "phone";

/** How long a journey that was left can be taken up again. */
export const JOURNEY_LIFE_MS = 12 * HOUR_MS;

/** Records that storage did not take, forbidden in private mode or full: a page still works, and the newest counts. */
const memory = new Map<string, string>();

/** Every record carries its own end, so that nothing stays on a phone for ever. */
const envelope = z.object({ until: z.number(), value: z.unknown() });

function storageOf(area: Area): Storage {
  return area === "tab" ? window.sessionStorage : window.localStorage;
}

function memoryKey(area: Area, key: string): string {
  return `${area}:${key}`;
}

/** The key of a record that belongs to one campaign. */
export function recordKey(campaignId: string, kind: string): string {
  return `tournavis:${campaignId}:${kind}`;
}

function textOf(area: Area, key: string): string | null {
  const text = memory.get(memoryKey(area, key));
  if (text !== undefined) return text;
  try {
    return storageOf(area).getItem(key);
  } catch {
    return null;
  }
}

/** Whether there is a record, valid or not: worth loading what can read it. */
export function hasRecord(area: Area, key: string): boolean {
  return textOf(area, key) !== null;
}

/** Removes a record. */
export function forget(area: Area, key: string): void {
  memory.delete(memoryKey(area, key));
  try {
    storageOf(area).removeItem(key);
  } catch {
    // Storage is forbidden here: the record was in memory only.
  }
}

/** Reads a record; null when it is missing, expired or not of the given shape. */
export function recall<T>(area: Area, key: string, schema: z.ZodMiniType<T>): T | null {
  const text = textOf(area, key);
  if (text === null) return null;
  try {
    const { until, value } = envelope.parse(JSON.parse(text));
    if (until > Date.now()) return schema.parse(value);
  } catch {
    // An older version of the page, or another hand, wrote this: start afresh.
  }
  forget(area, key);
  return null;
}

/** Writes a record; returns whether it will outlive the page. */
export function remember(area: Area, key: string, value: unknown, lifeMs: number): boolean {
  const text = JSON.stringify({ until: Date.now() + lifeMs, value });
  try {
    storageOf(area).setItem(key, text);
    memory.delete(memoryKey(area, key));
    return true;
  } catch {
    memory.set(memoryKey(area, key), text);
    return false;
  }
}
