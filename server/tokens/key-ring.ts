import { readOrCreateSigningKeys, readSigningKeysText } from "../config/secrets.ts";
import { StartupError } from "../start/startup-error.ts";
import { keyOfSecret, makeSigningKey, parseSigningKeys, type SigningKey } from "./signing-keys.ts";
import type { KeyRing } from "./tokens.ts";

/** Interval at which a process checks whether the keys have changed, in milliseconds. */
const LOOK_MS = 5_000;

/** Keys that follow their file. */
export type OpenKeyRing = KeyRing & {
  /** Reads the file now. */
  refresh(): Promise<void>;
  close(): void;
};

/**
 * The keys of an installation: those of the environment, or of its folder. A new installation makes a key pair; one of
 * release 1.0.0 goes on with its secret. A change in the folder counts within seconds, without a restart.
 */
export async function openKeyRing(options: {
  dataFolder: string;
  /** Keys that the environment gives. */
  given: readonly SigningKey[] | null;
  /** Told when the file cannot be used: the keys from before go on. */
  onFailure(error: unknown): void;
}): Promise<OpenKeyRing> {
  const { dataFolder, given, onFailure } = options;
  if (given !== null) return { keys: () => given, refresh: async () => undefined, close: () => {} };
  let text = await createKeysText(dataFolder);
  let keys = keysOf(text, dataFolder);
  const read = async () => {
    // A folder that is gone is not made anew.
    const found = await readSigningKeysText(dataFolder);
    if (found === text) return;
    keys = keysOf(found ?? "", dataFolder);
    text = found ?? "";
  };
  const refresh = () => read().catch(onFailure);
  const timer = setInterval(refresh, LOOK_MS);
  timer.unref();
  return { keys: () => keys, refresh, close: () => clearInterval(timer) };
}

/** The keys in the folder of an installation. */
export async function readKeys(dataFolder: string): Promise<readonly SigningKey[]> {
  return keysOf(await createKeysText(dataFolder), dataFolder);
}

function createKeysText(dataFolder: string): Promise<string> {
  return readOrCreateSigningKeys(dataFolder, (secret) =>
    JSON.stringify([
      secret === null
        ? makeSigningKey("ES256", { status: "in_use", now: new Date() })
        : keyOfSecret(secret),
    ]),
  );
}

function keysOf(text: string, folder: string): readonly SigningKey[] {
  const keys = parseSigningKeys(text);
  if (!keys) throw new StartupError("signing_keys_unreadable", { folder });
  return keys;
}
