/** The part of the package that tests use; it brings no types of its own. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  type Receiver = {
    version: "aes128gcm";
    privateKey: ECDH;
    /** Secret that the browser shares with the sender (base64url). */
    authSecret: string;
  };
  /** Opens an encrypted body; throws where it is for another receiver, or was changed. */
  export function decrypt(body: Uint8Array, receiver: Receiver): Buffer;
}
