import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A device with a key, made by hand from the standard (WebAuthn level 2), to answer what no honest one would. */

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();

/** CBOR of what an attestation needs: short texts, bytes, small numbers, maps. */
function cbor(value: unknown): Buffer {
  const head = (kind: number, length: number) =>
    length < 24
      ? Buffer.from([(kind << 5) | length])
      : length < 256
        ? Buffer.from([(kind << 5) | 24, length])
        : Buffer.from([(kind << 5) | 25, length >> 8, length & 255]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) throw new Error("This is none of the four.");
  const parts = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

/** How the device is reached. */
const TRANSPORTS = ["internal", "cable"] as const;

/** Challenge of a page, and the page that asked it. */
type Asked = { challenge: string; origin: string; rpId: string };

/** A device that holds one key. */
export class Device {
  readonly id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #cose: Buffer;
  /** Uses so far. */
  count = 0;
  /** Whether it asks its owner for a finger or a code. */
  isVerifying: boolean;
  /** Whether its key is kept elsewhere as well, as an account of the device's maker does. */
  isSynchronised: boolean;
  /** Whose key it says that it is. */
  handle = "";

  constructor({ isVerifying = false, isSynchronised = false } = {}) {
    this.isVerifying = isVerifying;
    this.isSynchronised = isSynchronised;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#key = privateKey;
    const [east, north] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
    this.#cose = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, east],
        [-3, north],
      ]),
    );
  }

  /** Answers a question to make a key. */
  create(asked: Asked) {
    const clientDataJSON = clientData("webauthn.create", asked);
    const length = Buffer.from([0, this.id.length]);
    const made = Buffer.concat([Buffer.alloc(16), length, this.id, this.#cose]);
    const authData = Buffer.concat([this.#state(asked.rpId, 0x41), made]);
    const attestationObject = cbor(
      new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    );
    return {
      type: "create" as const,
      credential_response: {
        ...this.#named(),
        response: {
          clientDataJSON: clientDataJSON.toString("base64url"),
          attestationObject: attestationObject.toString("base64url"),
          transports: [...TRANSPORTS],
        },
      },
    };
  }

  /** Answers a question to use the key. */
  get(asked: Asked) {
    this.count += 1;
    const clientDataJSON = clientData("webauthn.get", asked);
    const authenticatorData = this.#state(asked.rpId, 0x01);
    const signature = sign(
      "sha256",
      Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
      this.#key,
    );
    return {
      type: "request" as const,
      credential_response: {
        ...this.#named(),
        response: {
          clientDataJSON: clientDataJSON.toString("base64url"),
          authenticatorData: authenticatorData.toString("base64url"),
          signature: signature.toString("base64url"),
          ...(this.handle && { userHandle: Buffer.from(this.handle).toString("base64url") }),
        },
      },
    };
  }

  #named() {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
  }

  /** For whom, whether somebody is there, where else the key is kept, and how often the key was used. */
  #state(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.count);
    const asked = flags | (this.isVerifying ? 0x04 : 0) | (this.isSynchronised ? 0x18 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([asked]), count]);
  }
}

function clientData(type: string, { challenge, origin }: Asked): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
