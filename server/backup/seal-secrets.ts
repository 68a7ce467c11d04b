import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";

const CIPHER = "aes-256-gcm";

/**
 * Cost of deriving a key: 64 MB and a fifth of a second for each passphrase that an attacker tries.
 */
const COST = { N: 65_536, r: 8, p: 1 } as const;
const MEMORY = 128 * 1024 * 1024;

const base64 = z.base64();

const envelope = z.object({
  kdf: z.literal("scrypt"),
  N: z.literal(COST.N),
  r: z.literal(COST.r),
  p: z.literal(COST.p),
  salt: base64,
  cipher: z.literal(CIPHER),
  nonce: base64,
  tag: base64,
  data: base64,
});

const secretsSchema = z.record(z.string(), z.string());

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return derive(passphrase.normalize("NFC"), salt, 32, { ...COST, maxmem: MEMORY });
}

/**
 * Encrypts an installation's secrets under a passphrase. The backup's manifest is part of the seal, and with it the
 * checksum of every entry: a backup that was changed without the passphrase does not open.
 */
export async function sealSecrets(
  secrets: Readonly<Record<string, string>>,
  passphrase: string,
  manifest: Buffer,
): Promise<string> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt), nonce).setAAD(manifest);
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets), "utf8"), cipher.final()]);
  const text = (bytes: Buffer) => bytes.toString("base64");
  const sealed: z.infer<typeof envelope> = {
    kdf: "scrypt",
    ...COST,
    salt: text(salt),
    cipher: CIPHER,
    nonce: text(nonce),
    tag: text(cipher.getAuthTag()),
    data: text(data),
  };
  return `${JSON.stringify(sealed)}\n`;
}

/** Reads sealed secrets; null under another passphrase, or when the manifest or the seal was changed. */
export async function unsealSecrets(
  sealed: string,
  passphrase: string,
  manifest: Buffer,
): Promise<Record<string, string> | null> {
  const { salt, nonce, tag, data } = envelope.parse(JSON.parse(sealed));
  const bytes = (text: string) => Buffer.from(text, "base64");
  const key = await keyOf(passphrase, bytes(salt));
  const decipher = createDecipheriv(CIPHER, key, bytes(nonce), { authTagLength: 16 })
    .setAAD(manifest)
    .setAuthTag(bytes(tag));
  try {
    const opened = Buffer.concat([decipher.update(bytes(data)), decipher.final()]);
    return secretsSchema.parse(JSON.parse(opened.toString("utf8")));
  } catch {
    return null;
  }
}
