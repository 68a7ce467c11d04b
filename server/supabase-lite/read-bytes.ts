/** Reader of a stream of bytes, for either of the two kinds. */
type ByteReader = {
  read(): Promise<
    { done: false; value: Uint8Array } | { done: true; value?: Uint8Array | undefined }
  >;
};

/** All bytes of a stream; null when they are more than so many, the rest of which stays unread. */
export async function readBytes(reader: ByteReader, most = Infinity): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > most) return null;
    chunks.push(value);
  }
}
