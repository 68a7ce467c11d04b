import * as z from "zod/mini";
import { DAY_MS } from "#domain/text/durations.ts";
import { hex, newId } from "#domain/text/new-id.ts";
import { recall, remember } from "./storage.ts";

/** The law lets a device be recognised for 13 months. */
export const DEVICE_LIFE_MS = 395 * DAY_MS;

/** SHA-256 in hexadecimal; a small library serves plain HTTP, where `crypto.subtle` is missing. */
export async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  if (window.isSecureContext) {
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  }
  const library = await import("@noble/hashes/sha2.js");
  return hex(library.sha256(bytes));
}

/**
 * The device as the server's abuse limits know it: a hash of a random identifier kept on
 * the phone and of traits too coarse to identify a person by themselves.
 */
export async function deviceFingerprint(): Promise<string> {
  const key = "tournavis:device";
  let device = recall("phone", key, z.guid());
  if (device === null) {
    device = newId();
    remember("phone", key, device, DEVICE_LIFE_MS);
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const width = Math.round(Math.min(screen.width, screen.height) / 100);
  return sha256([device, navigator.language, timeZone, width].join("|"));
}

/** Constant fingerprint of the test mode, which promises to send no personal data. */
export function anonymousFingerprint(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}
