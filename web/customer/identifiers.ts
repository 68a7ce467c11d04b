import * as z from "zod/mini";
import { recall, remember } from "./parts/storage.ts";

/** The law lets a device be recognised for 13 months. */
const DEVICE_LIFE_MS = 395 * 24 * 60 * 60 * 1000;

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A random UUID, also on plain HTTP, where browsers hide `crypto.randomUUID`. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

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
 * the phone and of traits too coarse to recognise anybody by themselves.
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

/** Stands in for the device in test mode, which promises to send nothing about anybody. */
export function anonymousFingerprint(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}
