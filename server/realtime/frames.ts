import { z } from "zod";
import { parseStorable } from "../../supabase/functions/_shared/http/storable-json.ts";

/** Versions of the protocol's serialisation: objects, or arrays with binary broadcasts. */
export type Version = "1.0.0" | "2.0.0";

/** A message of the Phoenix protocol, either way. */
export type Frame = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
  /** Content of a binary broadcast, as base64. */
  bytes?: string;
};

/** Content of a broadcast: a value of JSON, or bytes (base64, as notifications are text). */
export type Content = { json: unknown } | { bytes: string };

const mark = z.string().max(255).nullish();
const text = z.string().max(300);

const objectFrame = z.object({
  join_ref: mark,
  ref: mark,
  topic: text,
  event: text,
  payload: z.unknown(),
});
const arrayFrame = z.tuple([mark, mark, text, text, z.unknown()]);

/** First byte of a binary broadcast, to the server and from it. */
const PUSH = 3;
const BROADCAST = 4;

/** Byte that says how a binary broadcast's content is written. */
const AS_BYTES = 0;

/** Reads a message; null when invalid. */
export function readFrame(data: Buffer, isBinary: boolean, version: Version): Frame | null {
  if (isBinary) return version === "2.0.0" ? readPush(data) : null;
  try {
    const value = parseStorable(data.toString("utf8"));
    if (version === "2.0.0") {
      const [joinRef, ref, topic, event, payload] = arrayFrame.parse(value);
      return { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload };
    }
    const { join_ref, ref, topic, event, payload } = objectFrame.parse(value);
    return { joinRef: join_ref ?? null, ref: ref ?? null, topic, event, payload };
  } catch {
    return null;
  }
}

/** A broadcast in its binary form: lengths, texts, then the content. */
function readPush(data: Buffer): Frame | null {
  const [kind, joinRefSize, refSize, topicSize, eventSize, metaSize, encoding] = data;
  if (kind !== PUSH || encoding === undefined) return null;
  let offset = 7;
  const take = (size = 0) => {
    offset += size;
    return data.toString("utf8", offset - size, offset);
  };
  const joinRef = take(joinRefSize);
  const ref = take(refSize);
  const topic = take(topicSize);
  const event = take(eventSize);
  take(metaSize);
  if (offset > data.length || `${topic}${event}`.includes("\0")) return null;
  const rest = data.subarray(offset);
  const frame = { joinRef: joinRef || null, ref: ref || null, topic, event: "broadcast" };
  if (encoding === AS_BYTES) {
    return { ...frame, payload: { event }, bytes: rest.toString("base64") };
  }
  try {
    return { ...frame, payload: { event, payload: parseStorable(rest.toString("utf8")) } };
  } catch {
    return null;
  }
}

const broadcastPayload = z.object({
  event: z.string().max(255),
  payload: z.unknown().optional(),
});

/** The event and content of a broadcast that a client sends; null when invalid. */
export function readBroadcast({
  payload,
  bytes,
}: Frame): { event: string; content: Content } | null {
  const read = broadcastPayload.safeParse(payload);
  if (!read.success) return null;
  const content = bytes === undefined ? { json: read.data.payload ?? {} } : { bytes };
  return { event: read.data.event, content };
}

/** Writes a message. */
export function writeFrame(
  { joinRef, ref, topic, event, payload }: Frame,
  version: Version,
): string {
  return JSON.stringify(
    version === "2.0.0"
      ? [joinRef, ref, topic, event, payload]
      : { join_ref: joinRef, ref, topic, event, payload },
  );
}

/** Writes a broadcast for the channel's members; null for bytes that this version, or its binary form, cannot carry. */
export function writeBroadcast(
  topic: string,
  { event, content, meta }: { event: string; content: Content; meta: { id: string } | null },
  version: Version,
): string | Buffer | null {
  if ("json" in content) {
    const payload = { type: "broadcast", event, payload: content.json, ...(meta && { meta }) };
    return writeFrame({ joinRef: null, ref: null, topic, event: "broadcast", payload }, version);
  }
  if (version === "1.0.0") return null;
  const parts = [topic, event, meta ? JSON.stringify(meta) : ""].map((part) => Buffer.from(part));
  // A length is one byte.
  if (parts.some(({ length }) => length > 255)) return null;
  return Buffer.concat([
    Buffer.from([BROADCAST, ...parts.map(({ length }) => length), AS_BYTES]),
    ...parts,
    Buffer.from(content.bytes, "base64"),
  ]);
}
