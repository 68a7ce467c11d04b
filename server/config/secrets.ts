import { createHmac, randomBytes, randomInt } from "node:crypto";
import { chmod, link, lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import {
  makeVapidKeys,
  parseVapidKeys,
  type VapidKeys,
} from "../../supabase/functions/_shared/messages/vapid-keys.ts";
import { StartupError } from "../start/startup-error.ts";
import { giveToOwnerOf } from "./owner.ts";

/** Secrets that an installation must never show nor lose; one file each in `<data>/secrets`. */
export type Secrets = {
  /** Public key of browsers: grants nothing by itself, row-level security decides. */
  publishableKey: string;
  /** Key of servers: passes row-level security. */
  secretKey: string;
  /** Key of the hashes that represent addresses and devices. */
  hashKey: string;
  /** Derives the password of the API's own database account. */
  databaseKey: string;
};

/** Reads the secrets of this installation; those that are missing are made, once for ever. */
export async function readSecrets(dataFolder: string): Promise<Secrets> {
  const read = (name: string, generate: () => string | Promise<string>) =>
    readOrCreateSecret(dataFolder, name, generate);
  const [publishableKey, secretKey, hashKey, databaseKey] = await Promise.all([
    read("publishable-key", () => apiKey("publishable")),
    read("secret-key", () => apiKey("secret")),
    read(HASH_KEY, randomSecret),
    read("database-key", randomSecret),
  ]);
  return { publishableKey, secretKey, hashKey, databaseKey };
}

/** File of the keys that sign access tokens. */
export const SIGNING_KEYS = "signing-keys";

/** File of the key of hashes and seals. */
export const HASH_KEY = "hash-key";

const DEMO_PASSWORD = "demo-password";

/** File of the pair by which push services know this installation. */
export const VAPID_KEYS = "vapid-keys";

/**
 * Text of the keys that sign access tokens; `generate` makes the first ones, from the secret of release 1.0.0 where the
 * installation has one (its file stays, and says nothing once there are keys).
 */
export async function readOrCreateSigningKeys(
  dataFolder: string,
  generate: (secret: string | null) => string,
): Promise<string> {
  const secret = await readSecret(join(dataFolder, "secrets", "jwt-secret"));
  return readOrCreateSecret(dataFolder, SIGNING_KEYS, () => generate(secret));
}

/** The same text as it is now; null where there is none. */
export function readSigningKeysText(dataFolder: string): Promise<string | null> {
  return readSecret(join(dataFolder, "secrets", SIGNING_KEYS));
}

/** Puts other keys in their place at once: a process reads the ones or the others. */
export async function replaceSigningKeys(dataFolder: string, text: string): Promise<void> {
  const folder = join(dataFolder, "secrets");
  const path = join(folder, SIGNING_KEYS);
  const proposal = await writeProposal(path, text);
  try {
    await rename(proposal, path);
  } finally {
    await rm(proposal, { force: true });
  }
}

/** Password of the embedded database's administrator. */
export function readDatabasePassword(dataFolder: string): Promise<string> {
  return readOrCreateSecret(dataFolder, "database-password", randomSecret);
}

/** Password of the demo's owner when `DEMO_PASSWORD` does not give one: easy to type, hard to guess. */
export function readDemoPassword(dataFolder: string): Promise<string> {
  return readOrCreateSecret(dataFolder, DEMO_PASSWORD, () => {
    const letters = "abcdefghjkmnpqrstuvwxyz23456789";
    const group = () =>
      Array.from({ length: 4 }, () => letters[randomInt(letters.length)] ?? "").join("");
    return [group(), group(), group()].join("-");
  });
}

/** The same where it was made before; null where it was not. */
export function findDemoPassword(dataFolder: string): Promise<string | null> {
  return readSecret(join(dataFolder, "secrets", DEMO_PASSWORD));
}

/** The pair by which push services know this installation: another one would make every device a stranger. */
export async function readVapidKeys(dataFolder: string): Promise<VapidKeys> {
  const text = await readOrCreateSecret(dataFolder, VAPID_KEYS, () =>
    JSON.stringify(makeVapidKeys()),
  );
  const keys = parseVapidKeys(text);
  if (!keys) throw new StartupError("vapid_keys_unreadable", { folder: dataFolder });
  return keys;
}

/** Passphrase of the daily backups, at which no operator can be asked for one. */
export function readBackupPassphrase(dataFolder: string): Promise<string> {
  return readOrCreateSecret(dataFolder, "backup-passphrase", randomSecret);
}

/** Secrets of one place alone: an installation that moves makes them anew. */
const OF_ONE_PLACE = ["database-password", "backup-passphrase"];

/** The secrets that an installation takes along when it moves, by their names; none where none were made. */
export async function readMovableSecrets(dataFolder: string): Promise<Record<string, string>> {
  const folder = join(dataFolder, "secrets");
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  const found: Record<string, string> = {};
  for (const name of names.sort()) {
    // The name of a proposal that a dead process left behind has a dot.
    if (!/^[a-z-]+$/.test(name) || OF_ONE_PLACE.includes(name)) continue;
    const secret = await readSecret(join(folder, name));
    if (secret) found[name] = secret;
  }
  return found;
}

/** Gives an installation secrets that were taken along; those that it has stay. */
export async function writeMovedSecrets(
  dataFolder: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, secret] of Object.entries(secrets)) {
    if (/^[a-z-]+$/.test(name)) await readOrCreateSecret(dataFolder, name, () => secret);
  }
}

/** Derives a secret for one purpose from another. */
export function deriveSecret(key: string, purpose: string): string {
  return createHmac("sha256", key).update(purpose).digest("base64url");
}

/** The library is large and needed here once in the life of an installation: loaded on demand. */
async function apiKey(type: "publishable" | "secret"): Promise<string> {
  const { generateApiKey } = await import("@supabase/lite");
  return (await generateApiKey(type)).key;
}

function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Several processes may start at once on one folder: each writes its own proposal under a
 * private name, the first to give it the final name wins, and all read that file.
 */
async function readOrCreateSecret(
  dataFolder: string,
  name: string,
  generate: () => string | Promise<string>,
): Promise<string> {
  const folder = join(dataFolder, "secrets");
  const path = join(folder, name);
  const existing = await readSecret(path);
  if (existing) return existing;

  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await giveToOwnerOf(dataFolder, folder);
  const proposal = await writeProposal(path, await generate());
  try {
    await link(proposal, path).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
  } finally {
    await rm(proposal, { force: true });
  }
  const winner = await readSecret(path);
  if (!winner) throw new Error(`empty secret file: ${path}`);
  return winner;
}

/** Writes a secret under a private name beside its place, and answers that name. */
async function writeProposal(path: string, secret: string): Promise<string> {
  const proposal = `${path}.${randomBytes(8).toString("hex")}`;
  const file = await open(proposal, "wx", 0o600);
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
    await giveToOwnerOf(dirname(path), proposal);
  } catch (error) {
    await rm(proposal, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return proposal;
}

/**
 * The secret in a file; null where there is none. The file may be a link to where systemd puts what it keeps sealed: a link
 * that leads nowhere is a secret that is missing, in whose place none is made.
 */
async function readSecret(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch(async (error: unknown) => {
    if (errorCode(error) !== "ENOENT") throw error;
    const link = await lstat(path).catch(() => null);
    if (link?.isSymbolicLink())
      throw new StartupError("unreadable_secret", { file: path }, { cause: error });
    // Another process may have made the file since.
    return link ? readFile(path, "utf8") : "";
  });
  return text.trim() || null;
}
