import { describe, expect, it } from "vitest";
import { readBroadcast, readFrame, writeBroadcast } from "./frames.ts";

const FRAME = { joinRef: "1", ref: "2", topic: "realtime:a", event: "broadcast" };

/** A binary broadcast of a client: kind, lengths, way of writing, texts, content. */
function push(content: string, { kind = 3, encoding = 1, event = "moved" } = {}): Buffer {
  const parts = [FRAME.joinRef, FRAME.ref, FRAME.topic, event, "{}"];
  const head = [kind, ...parts.map((part) => Buffer.byteLength(part)), encoding];
  return Buffer.concat([Buffer.from(head), Buffer.from(parts.join("")), Buffer.from(content)]);
}

describe("a binary message", () => {
  it("is a broadcast of JSON, or of bytes", () => {
    const json = { ...FRAME, payload: { event: "moved", payload: { x: 1 } } };
    expect(readFrame(push('{"x":1}'), true, "2.0.0")).toEqual(json);
    expect(readFrame(push("\u0000é", { encoding: 0 }), true, "2.0.0")).toEqual({
      ...FRAME,
      payload: { event: "moved" },
      bytes: Buffer.from("\u0000é").toString("base64"),
    });
  });

  it.each([
    ["of another kind", push("{}", { kind: 4 })],
    ["that ends within its head", push("{}").subarray(0, 6)],
    ["that ends within its texts", push("").subarray(0, 12)],
    ["whose content is no JSON", push("{")],
    ["whose event PostgreSQL cannot store", push("{}", { event: "a\u0000" })],
    ["that is empty", Buffer.alloc(0)],
  ])("%s is none", (_, data) => {
    expect(readFrame(data, true, "2.0.0")).toBeNull();
  });

  it("is none in the first version", () => {
    expect(readFrame(push("{}"), true, "1.0.0")).toBeNull();
  });
});

describe("a message of text", () => {
  const object = { join_ref: null, ref: "2", topic: "phoenix", event: "heartbeat", payload: {} };
  const array = [null, "2", "phoenix", "heartbeat", {}];
  const frame = { joinRef: null, ref: "2", topic: "phoenix", event: "heartbeat", payload: {} };

  it("is an object in the first version, and a list in the second", () => {
    expect(readFrame(Buffer.from(JSON.stringify(object)), false, "1.0.0")).toEqual(frame);
    expect(readFrame(Buffer.from(JSON.stringify(array)), false, "2.0.0")).toEqual(frame);
    expect(readFrame(Buffer.from(JSON.stringify(array)), false, "1.0.0")).toBeNull();
    expect(readFrame(Buffer.from(JSON.stringify(object)), false, "2.0.0")).toBeNull();
  });

  it.each(["", "{", "[]", '["1"]', "null", JSON.stringify([null, "2", "x".repeat(301), "y", {}])])(
    "that is something else is none: %s",
    (text) => {
      expect(readFrame(Buffer.from(text), false, "2.0.0")).toBeNull();
    },
  );
});

describe("a broadcast", () => {
  it("without a content is an empty object, and without an event none", () => {
    expect(readBroadcast({ ...FRAME, payload: { event: "moved" } })).toEqual({
      event: "moved",
      content: { json: {} },
    });
    expect(readBroadcast({ ...FRAME, payload: { payload: {} } })).toBeNull();
  });

  it("of bytes has its lengths in one byte each, and is nothing for the first version", () => {
    const bytes = Buffer.from("é").toString("base64");
    const write = (topic: string, version: "1.0.0" | "2.0.0") =>
      writeBroadcast(topic, { event: "m", content: { bytes }, meta: { id: "i" } }, version);
    expect(write("t", "2.0.0")).toEqual(
      Buffer.concat([Buffer.from([4, 1, 1, 10, 0]), Buffer.from('tm{"id":"i"}é')]),
    );
    expect(write("t".repeat(255), "2.0.0")).toBeInstanceOf(Buffer);
    expect(write("t".repeat(256), "2.0.0")).toBeNull();
    expect(write("t", "1.0.0")).toBeNull();
  });
});
