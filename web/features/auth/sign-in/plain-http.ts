/**
 * Browsers hide `crypto.subtle` from pages of plain HTTP (`npm start -- --lan`). The platform's client would then send the
 * verifier of its sign-ins in the clear, which the service refuses: the one function that it asks for is given to it.
 */
export function provideDigest(): void {
  if (crypto.subtle) return;
  const digest = async (_algorithm: string, data: Uint8Array): Promise<Uint8Array> => {
    const { sha256 } = await import("@noble/hashes/sha2.js");
    return sha256(data);
  };
  Object.defineProperty(crypto, "subtle", { value: { digest }, configurable: true });
}
