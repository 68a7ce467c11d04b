import { Buffer } from "node:buffer";
import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from "node:crypto";

/**
 * A browser that wants push messages, as far as its keys go: it opens what is encrypted for it by RFC 8291, written from the
 * RFC and from nothing that the product uses.
 */
export type PushDevice = {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Opens a message's body; throws where it is for somebody else, or was changed. */
  open(body: Buffer): string;
};

/** Makes a browser with an address at a push service; with keys of its own, unless these are given (base64url). */
export function makePushDevice({
  origin = "https://push.example.com",
  privateKey,
  auth = randomBytes(16).toString("base64url"),
}: {
  origin?: string;
  privateKey?: string;
  auth?: string;
} = {}): PushDevice {
  const own = createECDH("prime256v1");
  if (privateKey === undefined) own.generateKeys();
  else own.setPrivateKey(privateKey, "base64url");
  const ownPublic = own.getPublicKey();
  const derive = (key: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync("sha256", key, salt, info, length));
  return {
    endpoint: `${origin}/wpush/v2/${randomUUID()}`,
    p256dh: ownPublic.toString("base64url"),
    auth,
    open(body) {
      // Header of RFC 8188: salt, size of a record, length of the key's name, and the name: the sender's public key.
      const salt = body.subarray(0, 16);
      const recordSize = body.readUInt32BE(16);
      const length = body.readUInt8(20);
      const sender = body.subarray(21, 21 + length);
      const sealed = body.subarray(21 + length);
      if (length !== 65 || sealed.length > recordSize) throw new Error("Not one record.");
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), ownPublic, sender]);
      const secret = own.computeSecret(sender);
      const input = derive(secret, Buffer.from(auth, "base64url"), info, 32);
      const key = derive(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
      const nonce = derive(input, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
      const opening = createDecipheriv("aes-128-gcm", key, nonce);
      opening.setAuthTag(sealed.subarray(-16));
      const text = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
      const end = text.lastIndexOf(2);
      if (end < 0 || text.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("No end.");
      return text.subarray(0, end).toString("utf8");
    },
  };
}
